-- What the replica's vault holds sealed, for stewards. The engine answers only a login that its users' file calls a steward.
create foreign table deid_engine.vault_shift (patient text, days integer)
    server pgdeid_engine options (schema_name 'deid', table_name 'vault_shift');
create foreign table deid_engine.vault_span (
    patient text, table_name text, column_name text, row_key text, span_start integer, span_end integer, phi_type text, detectors text[]
) server pgdeid_engine options (schema_name 'deid', table_name 'vault_span');
comment on foreign table deid_engine.vault_shift is 'pgdeid: behind the view deid.vault_shift';
comment on foreign table deid_engine.vault_span is 'pgdeid: behind the view deid.vault_span';
grant select on deid_engine.vault_shift, deid_engine.vault_span to pgdeid_engine;

create view deid.vault_shift as select patient, days from deid_engine.vault_shift;
create view deid.vault_span as
    select patient, table_name, column_name, row_key, span_start, span_end, phi_type, detectors from deid_engine.vault_span;
alter view deid.vault_shift owner to pgdeid_engine;
alter view deid.vault_span owner to pgdeid_engine;
grant select on deid.vault_shift, deid.vault_span to pgdeid_preview;

comment on view deid.vault_shift is
    'by how many days a patient''s dates were moved: say patient = …; only where the engine knows its login as a steward';
comment on column deid.vault_shift.patient is 'patient as the replica has it, in text form';
comment on column deid.vault_shift.days is 'days, negative into the past';
comment on view deid.vault_span is
    'where surrogates are in a patient''s published texts: say patient = …; only where the engine knows its login as a steward';
comment on column deid.vault_span.patient is 'patient as the replica has it, in text form';
comment on column deid.vault_span.table_name is 'table of the replica, schema.name';
comment on column deid.vault_span.column_name is 'text column';
comment on column deid.vault_span.row_key is 'published primary key as a JSON array of texts';
comment on column deid.vault_span.span_start is 'characters of the published text before the surrogate';
comment on column deid.vault_span.span_end is 'characters before the surrogate''s end';
comment on column deid.vault_span.phi_type is 'type of protected health information, as i2b2 2014 names it';
comment on column deid.vault_span.detectors is 'which detectors found the original';
