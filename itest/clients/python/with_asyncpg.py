"""asyncpg."""

import asyncio
import csv
import io

import asyncpg

import matrix

loop = asyncio.new_event_loop()
conn = loop.run_until_complete(asyncpg.connect())


def wait(answer):
    return loop.run_until_complete(answer)


def one():
    matrix.same(wait(conn.fetchval("select deid.deidentify($1::int, $2)", 1, matrix.NOTE)))


def batch():
    patients, notes = zip(*wait(conn.fetch(matrix.NOTES)))
    matrix.thousand(wait(conn.fetchval("select deid_notes from deid.deidentify_batch($1, $2)", patients, notes)))


def error():
    for code, query in ("2202E", matrix.UNEQUAL), ("PD001", matrix.STRANGER):
        matrix.refused(code, lambda: wait(conn.fetch(query)), matrix.sqlstate)
    one()


def cancel():
    """A timeout is asyncpg's own way; it cancels the statement at the server, or the next one would find the connection busy."""
    try:
        wait(conn.fetch(matrix.SLOW, timeout=2))
    except TimeoutError:
        one()
    else:
        raise AssertionError("it was not cancelled")
    pid = conn.get_server_pid()
    other = wait(asyncpg.connect())
    assert wait(other.fetchval("select state from pg_stat_activity where pid = $1", pid)) == "idle", "the statement goes on"
    wait(other.close())


def prepared():
    statement = wait(conn.prepare("select deid.deidentify($1::text, $2)"))
    matrix.thousand(wait(statement.fetchval(*row)) for row in wait(conn.fetch(matrix.NOTES)))


def cursor():
    async def texts():
        async with conn.transaction():
            return [row[0] async for row in conn.cursor(matrix.TABLE, prefetch=100)]

    matrix.thousand(wait(texts()))


def copy():
    out = io.BytesIO()
    wait(conn.copy_from_query(matrix.TABLE, output=out, format="csv"))
    matrix.thousand(text for (text,) in csv.reader(io.StringIO(out.getvalue().decode(), newline="")))


def inbox():
    async def texts():
        async with conn.transaction():
            rows = await conn.fetch("select note_id, patient_id::text, note from ward.note")
            await conn.executemany("insert into deid.inbox (job, item, patient_id, note) values ('job', $1, $2, $3)", rows)
            return [row[0] for row in await conn.fetch(matrix.OUTBOX)]

    matrix.thousand(wait(texts()))


matrix.report(f"asyncpg {asyncpg.__version__}", one, batch, error, cancel, prepared, cursor, copy, inbox)
