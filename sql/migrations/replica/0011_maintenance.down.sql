drop table deid.maintenance;
