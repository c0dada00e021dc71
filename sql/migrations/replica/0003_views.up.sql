create view deid.span as
select p.table_name, p.column_name, p.row_key, p.patient, s.ordinality as span,
       s.span_start, s.span_end, s.span_type,
       array(select d.name from deid.detector d
             where d.config_hash = p.config_hash and (s.span_by::bigint >> d.bit) & 1 = 1
             order by d.bit) as detectors
from deid.note_provenance p
cross join lateral unnest(p.span_start, p.span_end, p.span_type, p.span_by)
    with ordinality as s (span_start, span_end, span_type, span_by, ordinality);
comment on view deid.span is 'the surrogates of each published text, a row each: for audits, never for analysts';
comment on column deid.span.table_name is 'table, schema.name';
comment on column deid.span.column_name is 'text column';
comment on column deid.span.row_key is 'published primary key as a JSON array of texts';
comment on column deid.span.patient is 'pseudonym of the patient';
comment on column deid.span.span is 'number of the span in its text, from 1';
comment on column deid.span.span_start is 'first code point in the published text, from 0';
comment on column deid.span.span_end is 'code point after the span';
comment on column deid.span.span_type is 'PHI type';
comment on column deid.span.detectors is 'names of the detectors that found it';

create view deid.v_quarantine_summary as
select table_name, reason, count(*) as rows, max(attempts) as attempts, min(first_at) as first_at, max(last_at) as last_at
from deid.quarantine
group by table_name, reason;
comment on view deid.v_quarantine_summary is 'how many rows are set aside, by table and reason';
comment on column deid.v_quarantine_summary.table_name is 'source table, schema.name';
comment on column deid.v_quarantine_summary.reason is 'what went wrong';
comment on column deid.v_quarantine_summary.rows is 'rows set aside';
comment on column deid.v_quarantine_summary.attempts is 'most attempts of any of them';
comment on column deid.v_quarantine_summary.first_at is 'when the first was set aside';
comment on column deid.v_quarantine_summary.last_at is 'when one was last tried';

create view deid.v_status as
select p.slot, p.system_id, p.timeline, p.lsn, p.mapping_hash, p.updated_at,
       now() - p.updated_at as age,
       (select count(*) from deid.snapshot s where s.slot = p.slot and not s.done) as tables_to_copy,
       (select count(*) from deid.quarantine) as quarantined,
       (select count(*) from deid.requeue) as patients_queued
from deid.progress p;
comment on view deid.v_status is 'where the stream stands';
comment on column deid.v_status.slot is 'replication slot of the source';
comment on column deid.v_status.system_id is 'system identifier of the source''s cluster';
comment on column deid.v_status.timeline is 'timeline of the source';
comment on column deid.v_status.lsn is 'end of the last transaction that was applied';
comment on column deid.v_status.mapping_hash is 'hash of the mapping in use';
comment on column deid.v_status.updated_at is 'when something was last applied';
comment on column deid.v_status.age is 'how long ago that is';
comment on column deid.v_status.tables_to_copy is 'tables whose first copy is not complete';
comment on column deid.v_status.quarantined is 'rows set aside';
comment on column deid.v_status.patients_queued is 'patients whose notes are to be read again';

grant select on deid.span, deid.v_quarantine_summary, deid.v_status to pgdeid_service;

-- What "pgdeid migrate" generated from the mapping, and what it did to each column.
create table deid.column_policy (
    table_schema text not null,
    table_name   text not null,
    column_name  text not null,
    position     integer not null,
    policy       text not null,
    data_type    text,
    explanation  text not null,
    primary key (table_schema, table_name, column_name)
);
comment on table deid.column_policy is 'what is published of each column of the mapped tables; written by "pgdeid migrate"';
comment on column deid.column_policy.table_schema is 'schema, the same as in the source';
comment on column deid.column_policy.table_name is 'table';
comment on column deid.column_policy.column_name is 'column';
comment on column deid.column_policy.position is 'position of the column in the source''s table';
comment on column deid.column_policy.policy is 'policy of the mapping';
comment on column deid.column_policy.data_type is 'type in this database; null if it is not published';
comment on column deid.column_policy.explanation is 'what the policy does';

create table deid.generated (
    kind text not null check (kind in ('schema', 'table', 'extension')),
    name text not null,
    primary key (kind, name)
);
comment on table deid.generated is 'what "pgdeid migrate" made from the mapping, so that "down" drops that and nothing else';
comment on column deid.generated.kind is 'schema, table or extension';
comment on column deid.generated.name is 'its name, quoted where needed';
grant select on deid.column_policy, deid.generated to pgdeid_service;

create schema deid_info;
comment on schema deid_info is 'for analysts: what was done to the data in this database';
revoke all on schema deid_info from public;
grant usage on schema deid_info to pgdeid_analyst;

create view deid_info.column_policy as
select table_schema, table_name, column_name, policy, data_type, explanation
from deid.column_policy
order by table_schema, table_name, position;
comment on view deid_info.column_policy is 'what was done to each column of the source on its way to this database';
comment on column deid_info.column_policy.table_schema is 'schema, the same as in the source';
comment on column deid_info.column_policy.table_name is 'table';
comment on column deid_info.column_policy.column_name is 'column';
comment on column deid_info.column_policy.policy is 'keep, pseudonym, date_shift, text, surrogate, zip3, year, age_cap or drop';
comment on column deid_info.column_policy.data_type is 'type in this database; null if it is not published';
comment on column deid_info.column_policy.explanation is 'what the policy does';

create view deid_info.freshness as
select max(updated_at) as as_of, bool_and(complete) as complete
from (select p.updated_at,
             not exists (select from deid.snapshot s where s.slot = p.slot and not s.done) as complete
      from deid.progress p) p;
comment on view deid_info.freshness is 'how fresh the data are';
comment on column deid_info.freshness.as_of is 'when a change of the source was last applied here';
comment on column deid_info.freshness.complete is 'whether the first copy of every table has been made';

grant select on deid_info.column_policy, deid_info.freshness to pgdeid_analyst, pgdeid_service;
grant usage on schema deid_info to pgdeid_service;
