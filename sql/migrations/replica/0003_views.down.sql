drop view deid_info.freshness, deid_info.column_policy;
drop schema deid_info;
drop table deid.generated, deid.column_policy;
drop view deid.v_status, deid.v_quarantine_summary, deid.span;
