"""pandas, on a connection of SQLAlchemy."""

import pandas
import sqlalchemy

import matrix

engine = sqlalchemy.create_engine("postgresql+psycopg2://")
conn = engine.connect()


def ask(query, **params):
    with conn.begin():
        return pandas.read_sql(sqlalchemy.text(query), conn, params=params)


def cause(error):
    """pandas wraps what SQLAlchemy wraps."""
    return (error.__cause__ or error).orig


def state(error):
    return error.pgcode


def one():
    matrix.same(ask("select deid.deidentify(:patient, :note) as deid_note", patient=1, note=matrix.NOTE).deid_note[0])


def batch():
    notes = ask(matrix.NOTES)
    query = "select unnest(deid_notes) as deid_note from deid.deidentify_batch(:p, :n)"
    matrix.thousand(ask(query, p=notes.patient_id.tolist(), n=notes.note.tolist()).deid_note)


def error():
    for code, query in ("2202E", matrix.UNEQUAL), ("PD001", matrix.STRANGER):
        matrix.refused(code, lambda: ask(query), state, cause)
    one()


def cancel():
    matrix.cancelled(lambda: ask(matrix.SLOW), conn.connection.dbapi_connection.cancel, state, cause)
    one()


def chunks():
    with engine.connect().execution_options(stream_results=True) as streaming:
        frames = pandas.read_sql(matrix.TABLE, streaming, chunksize=100)
        matrix.thousand(text for frame in frames for text in frame.deid_note)


def frame():
    """A frame is written as a table, and the engine reads that."""
    notes = ask("select note_id, patient_id, note from ward.note")
    with conn.begin():
        notes.to_sql("frame", conn, schema="ward", if_exists="replace", index=False, method="multi", chunksize=500)
    matrix.thousand(ask("select deid_note from deid.deidentify_all('ward.frame', key_column => 'note_id') order by key::bigint").deid_note)


matrix.report(f"pandas {pandas.__version__}", one, batch, error, cancel, chunks, frame)
