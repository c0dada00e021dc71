comment on schema deid_rows is 'pgdeid: the de-identified rows; analysts read the views over them';
comment on schema deid_waiting is 'pgdeid: versions of rows that are not released yet';
comment on schema deid_released is 'pgdeid: the rows that analysts read through the views, as of the last release';
comment on schema deid_before is 'pgdeid: the rows that analysts read while "pgdeid key rotate" makes those of the next key; empty otherwise';
comment on schema deid_info is 'for analysts: what was done to the data in this database';
delete from deid.generated where kind = 'search_path';
alter table deid.generated drop constraint generated_kind_check;
alter table deid.generated add constraint generated_kind_check check (kind in ('schema', 'table', 'extension'));
comment on column deid.generated.kind is 'schema, table or extension';
comment on column deid.generated.name is 'its name, quoted where needed';

drop view deid_info.freshness;
create view deid_info.freshness as
select case when k.begun_at is not null then k.begun_at when r.mode = 'live' then p.updated_at else r.as_of end as as_of,
       case when k.begun_at is not null then true when r.mode = 'live' then p.complete else r.as_of is not null end as complete,
       r.mode as release
from deid.release r
cross join (select max(p.updated_at) as updated_at,
                   bool_and(not exists (select from deid.snapshot s where s.slot = p.slot and not s.done)) as complete
            from deid.progress p) p
left join deid.rotation k on true;
comment on view deid_info.freshness is 'how fresh the data are';
comment on column deid_info.freshness.as_of is 'when a change of the source was last applied here or, where rows are released later, of when the last release is; while the key is changed, when that began';
comment on column deid_info.freshness.complete is 'whether the first copy of every table has been made and released';
comment on column deid_info.freshness.release is 'live, batches or delayed: when changes become visible';
grant select on deid_info.freshness to pgdeid_analyst, pgdeid_service;

drop view deid_info.dataset;
drop table deid.dataset;
