create table deid.withheld (
    table_name  text not null,
    column_name text not null,
    times       bigint not null check (times > 0),
    first_at    timestamptz not null default now(),
    last_at     timestamptz not null default now(),
    primary key (table_name, column_name)
);
comment on table deid.withheld is 'columns with values that do not fit their policy and are published as NULL; no value is here';
comment on column deid.withheld.table_name is 'source table, schema.name';
comment on column deid.withheld.column_name is 'column';
comment on column deid.withheld.times is 'how many values were withheld; a row that is written again counts again';
comment on column deid.withheld.first_at is 'when the first was';
comment on column deid.withheld.last_at is 'when the last was';
grant select, insert, update, delete on deid.withheld to pgdeid_service;
