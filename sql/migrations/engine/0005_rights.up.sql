-- What the engine shows of a note depends on the rights of the login in the user mapping.
comment on view deid.detect is
    'what is found in one note, a row a span: say patient_id = … and note = …; unless the engine knows its login as a steward, it searches without the patient''s record';
comment on function deid.preview(text, text) is
    'what the engine would find in a note: a row a span, with its place in characters, its type and which detectors found it; nothing is stored. Unless the engine knows its login as a steward, it searches without the patient''s record';
