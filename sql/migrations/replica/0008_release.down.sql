drop view deid_info.freshness;
create view deid_info.freshness as
select max(updated_at) as as_of, bool_and(complete) as complete
from (select p.updated_at,
             not exists (select from deid.snapshot s where s.slot = p.slot and not s.done) as complete
      from deid.progress p) p;
grant select on deid_info.freshness to pgdeid_analyst, pgdeid_service;
drop table deid.release;
drop schema deid_released;
drop schema deid_waiting;
