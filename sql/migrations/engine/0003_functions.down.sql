drop function deid.preview(anynonarray, text);
drop function deid.deidentify(anynonarray, text);
drop function deid.preview(text, text);
drop function deid.pull(text[], text, text);
drop function deid.deidentify_batch(text[], text[]);
drop function deid.deidentify(text, text);
