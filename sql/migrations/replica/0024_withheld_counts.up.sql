-- Analysts see how much is not here, and why, in counts. Where rows are released later than they arrive, they see
-- nothing of it: the counts change as rows arrive.
create view deid_info.withheld as
select w.table_name, w.column_name, w.reason, w.count
from (select table_name, null::text as column_name, reason, count(*) as count from deid.quarantine group by table_name, reason
      union all
      select table_name, column_name, 'value', times from deid.withheld) w
where (select mode from deid.release) = 'live';
comment on view deid_info.withheld is 'how many rows and values of the source are not here, and why; empty where rows are released later than they arrive';
comment on column deid_info.withheld.table_name is 'table, schema.name';
comment on column deid_info.withheld.column_name is 'column whose value is NULL instead; null: the whole row is not here';
comment on column deid_info.withheld.reason is 'value: it did not fit its policy; otherwise why the row could not be de-identified';
comment on column deid_info.withheld.count is 'rows or values';
grant select on deid_info.withheld to pgdeid_analyst, pgdeid_service;
