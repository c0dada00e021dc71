"""psycopg 3."""

import psycopg

import matrix

# A pooler that divides sessions has no place for statements that outlive a transaction.
conn = psycopg.connect("", autocommit=True, prepare_threshold=None if matrix.POOLED else 0)


def ask(query, *args, **options):
    return conn.execute(query, args, **options).fetchall()


def one():
    matrix.same(ask("select deid.deidentify(%s, %s)", 1, matrix.NOTE)[0][0])


def batch():
    patients, notes = zip(*ask(matrix.NOTES))
    for binary in False, True:
        got = ask("select deid_notes from deid.deidentify_batch(%s::text[], %s::text[])", list(patients), list(notes), binary=binary)
        matrix.thousand(got[0][0])


def error():
    for code, query in ("2202E", matrix.UNEQUAL), ("PD001", matrix.STRANGER):
        matrix.refused(code, lambda: ask(query), matrix.sqlstate)
    try:
        ask(matrix.UNEQUAL)
    except psycopg.Error as refusal:
        assert "array_agg" in refusal.diag.message_hint, "the hint does not arrive"
    one()


def cancel():
    matrix.cancelled(lambda: ask(matrix.SLOW), conn.cancel_safe, matrix.sqlstate)
    one()


def pipeline():
    with conn.pipeline():
        cursors = [conn.execute("select deid.deidentify(%s::text, %s)", row) for row in ask(matrix.NOTES)]
        matrix.thousand(cursor.fetchone()[0] for cursor in cursors)
    try:
        with conn.pipeline():
            conn.execute(matrix.STRANGER)
            conn.execute("select 1")
    except psycopg.Error as refusal:
        assert refusal.sqlstate == "PD001", refusal
    else:
        raise AssertionError("an error in a pipeline was lost")
    one()


def cursor():
    with conn.transaction(), conn.cursor("notes") as named:
        named.itersize = 100
        named.execute(matrix.TABLE)
        matrix.thousand(text for (text,) in named)


def copy():
    for form, kinds in ("text", None), ("binary", ["text"]):
        with conn.cursor() as cursor, cursor.copy(f"copy ({matrix.TABLE}) to stdout (format {form})") as rows:
            rows.set_types(kinds or ["text"])
            matrix.thousand(text for (text,) in rows.rows())


def inbox():
    with conn.transaction(), conn.cursor() as cursor:
        rows = cursor.execute("select note_id, patient_id::text, note from ward.note").fetchall()
        cursor.executemany("insert into deid.inbox (job, item, patient_id, note) values ('job', %s, %s, %s)", rows)
        matrix.thousand(text for (text,) in cursor.execute(matrix.OUTBOX))


libpq = psycopg.pq.version()
version = f"psycopg {psycopg.__version__} (libpq {libpq // 10000}.{libpq % 10000})"
matrix.report(version, one, batch, error, cancel, pipeline, cursor, copy, inbox)
