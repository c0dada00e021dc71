create table deid.maintenance (
    task   text primary key,
    ran_at timestamptz not null default now(),
    rows   bigint not null check (rows >= 0)
);
comment on table deid.maintenance is 'when "pgdeid maintain" last did each of its tasks';
comment on column deid.maintenance.task is 'name of the task, as in "pgdeid maintain --task"';
comment on column deid.maintenance.ran_at is 'when it was last done';
comment on column deid.maintenance.rows is 'rows that it changed then';
grant select, insert, update, delete on deid.maintenance to pgdeid_service;
