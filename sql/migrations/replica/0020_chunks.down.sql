drop schema deid_jobs cascade;
alter table deid.snapshot drop column planned;
drop table deid.copy_chunk;
drop table deid.copy_plan;
