"""What the Python clients have in common: the cases, and how a result is reported."""

import hashlib
import os
import threading
import time

NOTE = os.environ["CLIENTS_NOTE"]
WANT = os.environ["CLIENTS_WANT"]
DIGEST = os.environ["CLIENTS_DIGEST"]
SLOW = os.environ["CLIENTS_SLOW"]
POOLED = "CLIENTS_POOLED" in os.environ

NOTES = "select patient_id::text, note from ward.note order by note_id"
TABLE = "select deid_note from deid.deidentify_all('ward.note') order by key::bigint"
OUTBOX = "select deid_note from deid.outbox where job = 'job' order by item"
UNEQUAL = "select deid.deidentify_batch('{1,2}', '{a}')"
STRANGER = "select deid.deidentify('999999', 'for Brackenmark')"


def same(got):
    """Checks the text of the one note."""
    assert got == WANT, f"got {got!r}, not {WANT!r}"


def thousand(texts):
    """Checks the texts of all notes."""
    texts = list(texts)
    digest = hashlib.sha256("".join(text + "\n" for text in texts).encode()).hexdigest()
    assert digest == DIGEST, f"{len(texts)} texts, but not those of the engine"


def refused(code, action, state, cause=lambda error: error):
    """Checks that an action fails with a code, and does not quote the note.

    state reads the code of an error; cause returns the server's own, where the client adds its statement.
    """
    try:
        action()
    except Exception as error:  # every client has a class of its own
        error = cause(error)
        assert state(error) == code, f"{state(error)}, not {code}: {error}"
        assert "Brackenmark" not in str(error), "the error quotes the note"
        return str(error)
    raise AssertionError(f"no error, not {code}")


def cancelled(action, cancel, state, cause=lambda error: error):
    """Checks that cancel, called while the action runs, ends it."""
    timer = threading.Timer(2, cancel)
    timer.start()
    said = refused("57014", action, state, cause)
    timer.join()
    assert "user request" in said, f"ended by something else: {said}"
    time.sleep(0.1)  # a cancellation that came late would hit the next statement


def sqlstate(error):
    """The code of an error, as psycopg 3 and asyncpg have it."""
    return getattr(error, "sqlstate", None)


def report(version, *cases):
    """Runs functions, which are named as their features, and prints a line for each."""
    print("version", version, flush=True)
    for case in cases:
        name = case.__name__.rstrip("_")
        try:
            case()
        except Exception as error:  # the other cases go on
            print(f"fail {name}: {type(error).__name__}: {' '.join(str(error).split())[:300]}", flush=True)
        else:
            print(f"pass {name}", flush=True)
