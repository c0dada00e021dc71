"""polars, on a connection of ADBC, which fetches by binary COPY."""

import adbc_driver_postgresql.dbapi
import polars

import matrix

conn = adbc_driver_postgresql.dbapi.connect("postgresql://", autocommit=True)


def ask(query, *args):
    return polars.read_database(query, conn, execute_options={"parameters": args} if args else None)


def state(error):
    """polars hands on the text of an error, and not its code."""
    codes = {"HINT: aggregate both": "2202E", "a note can't be de-identified": "PD001", "canceling statement": "57014"}
    return next((code for text, code in codes.items() if text in " ".join(str(error).split())), str(error))


def one():
    matrix.same(ask("select deid.deidentify($1::text, $2) as deid_note", "1", matrix.NOTE)["deid_note"][0])


def batch():
    matrix.thousand(ask("select unnest(deid_notes) as deid_note from (select array_agg(patient_id::text order by note_id) p, "
                        "array_agg(note order by note_id) n from ward.note) l, deid.deidentify_batch(p, n)")["deid_note"])


def error():
    for code, query in ("2202E", matrix.UNEQUAL), ("PD001", matrix.STRANGER):
        matrix.refused(code, lambda: ask(query), state)
    one()


def cancel():
    matrix.cancelled(lambda: ask(matrix.SLOW), conn.adbc_cancel, state)
    one()


def table():
    matrix.thousand(ask(matrix.TABLE)["deid_note"])


def frame():
    """A frame is written as a table, and the engine reads that."""
    notes = ask("select note_id, patient_id, note from ward.note")
    notes.write_database("frame", conn, if_table_exists="replace", engine="adbc", engine_options={"temporary": True})
    query = "select deid_note from deid.deidentify_all('pg_temp.frame', key_column => 'note_id') order by key::bigint"
    matrix.thousand(ask(query)["deid_note"])


matrix.report(f"polars {polars.__version__} (ADBC {adbc_driver_postgresql.__version__})", one, batch, error, cancel, table, frame)
