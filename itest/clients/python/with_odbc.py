"""psqlodbc, by pyodbc."""

import os

import pyodbc

import matrix

place = {"Driver": os.environ["CLIENTS_ODBC"], "Servername": os.environ["PGHOST"], "Port": os.environ["PGPORT"], "SSLmode": "disable",
         "Database": os.environ["PGDATABASE"], "UID": os.environ["PGUSER"], "PWD": os.environ["PGPASSWORD"], "MaxLongVarcharSize": "0"}
conn = pyodbc.connect(";".join(f"{name}={value}" for name, value in place.items()), autocommit=True)


def ask(query, *args):
    return conn.execute(query, *args).fetchall()


def state(error):
    return error.args[0]


def quoted(texts):
    return "{" + ",".join('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' for text in texts) + "}"


def one():
    matrix.same(ask("select deid.deidentify(cast(? as int), ?)", 1, matrix.NOTE)[0][0])


def batch():
    """ODBC has no lists: they go as a text that PostgreSQL reads."""
    patients, notes = zip(*ask(matrix.NOTES))
    query = "select unnest(deid_notes) from deid.deidentify_batch(cast(? as text[]), cast(? as text[]))"
    matrix.thousand(text for (text,) in ask(query, quoted(patients), quoted(notes)))


def error():
    for code, query in ("2202E", matrix.UNEQUAL), ("PD001", matrix.STRANGER):
        matrix.refused(code, lambda: ask(query), state)
    one()


def cancel():
    cursor = conn.cursor()
    matrix.cancelled(lambda: cursor.execute(matrix.SLOW), cursor.cancel, state)
    one()


def catalogue():
    cursor = conn.cursor()
    views = {row.table_name for row in cursor.tables(schema="deid", tableType="VIEW")}
    assert {"deidentify", "inbox", "outbox"} <= views, views
    columns = [row.column_name for row in cursor.columns(table="deidentify", schema="deid")]
    assert columns == ["patient_id", "note", "deid_note", "reason"], columns
    assert "deidentify_batch" in {row.procedure_name for row in cursor.procedures(schema="deid")}


def inbox():
    conn.autocommit = False
    cursor = conn.cursor()
    rows = [tuple(row) for row in cursor.execute("select note_id, cast(patient_id as text), note from ward.note").fetchall()]
    cursor.executemany("insert into deid.inbox (job, item, patient_id, note) values ('job', ?, ?, ?)", rows)
    matrix.thousand(text for (text,) in cursor.execute(matrix.OUTBOX))
    conn.commit()
    conn.autocommit = True


matrix.report(f"psqlodbc {conn.getinfo(pyodbc.SQL_DRIVER_VER)} (pyodbc {pyodbc.version})", one, batch, error, cancel, catalogue, inbox)
