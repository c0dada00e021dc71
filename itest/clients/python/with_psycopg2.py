"""psycopg 2."""

import csv
import io

import psycopg2
from psycopg2.extras import execute_values

import matrix

conn = psycopg2.connect("")
conn.autocommit = True


def ask(query, *args):
    with conn.cursor() as cursor:
        cursor.execute(query, args)
        return cursor.fetchall()


def one():
    matrix.same(ask("select deid.deidentify(%s, %s)", 1, matrix.NOTE)[0][0])


def batch():
    patients, notes = zip(*ask(matrix.NOTES))
    matrix.thousand(ask("select deid_notes from deid.deidentify_batch(%s, %s)", list(patients), list(notes))[0][0])


def error():
    for code, query in ("2202E", matrix.UNEQUAL), ("PD001", matrix.STRANGER):
        matrix.refused(code, lambda: ask(query), lambda e: e.pgcode)
    one()


def cancel():
    matrix.cancelled(lambda: ask(matrix.SLOW), conn.cancel, lambda e: e.pgcode)
    one()


def cursor():
    conn.autocommit = False
    with conn, conn.cursor("notes") as named:
        named.itersize = 100
        named.execute(matrix.TABLE)
        matrix.thousand(text for (text,) in named)
    conn.autocommit = True


def copy():
    out = io.StringIO(newline="")
    with conn.cursor() as cursor:
        cursor.copy_expert(f"copy ({matrix.TABLE}) to stdout with (format csv)", out)
    out.seek(0)
    matrix.thousand(text for (text,) in csv.reader(out))


def inbox():
    conn.autocommit = False
    with conn, conn.cursor() as cursor:
        cursor.execute("select note_id, patient_id::text, note from ward.note")
        rows = cursor.fetchall()
        execute_values(cursor, "insert into deid.inbox (job, item, patient_id, note) values %s", [("job", *row) for row in rows])
        cursor.execute(matrix.OUTBOX)
        matrix.thousand(text for (text,) in cursor)
    conn.autocommit = True


matrix.report(f"psycopg2 {psycopg2.__version__.split()[0]}", one, batch, error, cancel, cursor, copy, inbox)
