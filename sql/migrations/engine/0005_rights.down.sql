comment on view deid.detect is 'what is found in one note, a row a span: say patient_id = … and note = …';
comment on function deid.preview(text, text) is
    'what the engine would replace in a note: a row a span, with its place in characters, its type and which detectors found it; nothing is stored';
