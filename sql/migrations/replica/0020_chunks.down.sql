drop schema deid_jobs cascade;
alter table deid.snapshot drop column planned;
drop table deid.copy_chunk;
drop sequence deid.copy_chunk_number;
drop table deid.copy_plan;
