drop procedure deid.deidentify_into(regclass, regclass, name, name, name, integer, boolean);
drop function deid.deidentify_next(regclass, regclass, name, name, name, integer, text);
drop function deid.deidentify_all(regclass, name, name, name, integer);
drop function deid.column_of(regclass, name, text);
