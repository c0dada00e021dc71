"""SQLAlchemy, with tables and views that it learned by reflection."""

import sqlalchemy
from sqlalchemy import MetaData, bindparam, func, insert, inspect, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import Text

import matrix

engine = sqlalchemy.create_engine("postgresql+psycopg://", pool_size=1, max_overflow=0)
conn = engine.connect()
known = MetaData()


def cause(error):
    return error.orig


def one():
    with conn.begin():
        matrix.same(conn.scalar(select(func.deid.deidentify(1, matrix.NOTE))))


def batch():
    with conn.begin():
        patients, notes = zip(*conn.execute(text(matrix.NOTES)))
        lists = func.deid.deidentify_batch(bindparam("p", list(patients), ARRAY(Text)), bindparam("n", list(notes), ARRAY(Text)))
        matrix.thousand(conn.scalar(select(lists.table_valued("deid_notes", "reasons").c.deid_notes)))


def error():
    for code, query in ("2202E", matrix.UNEQUAL), ("PD001", matrix.STRANGER):
        with conn.begin():
            matrix.refused(code, lambda: conn.execute(text(query)), matrix.sqlstate, cause)
            conn.rollback()
    one()


def cancel():
    with conn.begin():
        matrix.cancelled(lambda: conn.execute(text(matrix.SLOW)), conn.connection.dbapi_connection.cancel_safe, matrix.sqlstate, cause)
        conn.rollback()
    one()


def reflection():
    with conn.begin():
        known.reflect(conn, schema="deid", views=True)
        known.reflect(conn, schema="ward")
        looked = inspect(conn)
        views, foreign = looked.get_view_names("deid"), looked.get_foreign_table_names("deid_engine")
    assert [c.name for c in known.tables["deid.deidentify"].columns] == ["patient_id", "note", "deid_note", "reason"], known.tables
    assert known.tables["ward.note"].primary_key.columns.keys() == ["note_id"], known.tables
    assert "inbox" in views and "deidentify" in foreign, (views, foreign)


def view():
    asked = known.tables["deid.deidentify"]
    with conn.begin():
        matrix.same(conn.scalar(select(asked.c.deid_note).where(asked.c.patient_id == "1", asked.c.note == matrix.NOTE)))


def inbox():
    put, got = known.tables["deid.inbox"], known.tables["deid.outbox"]
    with conn.begin():
        rows = conn.execute(text("select note_id, patient_id::text, note from ward.note")).all()
        conn.execute(insert(put), [{"job": "job", "item": key, "patient_id": patient, "note": note} for key, patient, note in rows])
        matrix.thousand(conn.scalars(select(got.c.deid_note).where(got.c.job == "job").order_by(got.c.item)))


def cursor():
    with conn.begin():
        matrix.thousand(conn.execution_options(yield_per=100).scalars(text(matrix.TABLE)))


matrix.report(f"SQLAlchemy {sqlalchemy.__version__}", one, batch, error, cancel, reflection, view, inbox, cursor)
