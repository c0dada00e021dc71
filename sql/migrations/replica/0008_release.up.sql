-- Where rows don't appear as they arrive, they wait first, and analysts read what was released.
create schema deid_waiting;
comment on schema deid_waiting is 'pgdeid: versions of rows that are not released yet';
create schema deid_released;
comment on schema deid_released is 'pgdeid: the rows that analysts read through the views, as of the last release';
revoke all on schema deid_waiting, deid_released from public;
grant usage on schema deid_waiting, deid_released to pgdeid_service;

create table deid.release (
    one         boolean primary key default true check (one),
    mode        text not null check (mode in ('live', 'batches', 'delayed')),
    through     date not null,
    as_of       timestamptz,
    released_at timestamptz
);
comment on table deid.release is 'when rows become visible to analysts; one row';
comment on column deid.release.one is 'always true: there is one row';
comment on column deid.release.mode is 'live: at once; batches: at intervals; delayed: when their date as moved for the patient has come';
comment on column deid.release.through is 'the last day whose rows were released; for delayed';
comment on column deid.release.as_of is 'what was released last is of this time; null before the first release';
comment on column deid.release.released_at is 'when that was';
insert into deid.release (mode, through) values ('live', (now() at time zone 'utc')::date - 1);
grant select, update on deid.release to pgdeid_service;

create or replace view deid_info.freshness as
select case when r.mode = 'live' then p.updated_at else r.as_of end as as_of,
       case when r.mode = 'live' then p.complete else r.as_of is not null end as complete,
       r.mode as release
from deid.release r
cross join (select max(p.updated_at) as updated_at,
                   bool_and(not exists (select from deid.snapshot s where s.slot = p.slot and not s.done)) as complete
            from deid.progress p) p;
comment on column deid_info.freshness.as_of is 'when a change of the source was last applied here or, where rows are released later, of when the last release is';
comment on column deid_info.freshness.complete is 'whether the first copy of every table has been made and released';
comment on column deid_info.freshness.release is 'live, batches or delayed: when changes become visible';
