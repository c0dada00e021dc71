-- A process that copies has some five connections. Where the role of source.admin_dsn may not change the limits,
-- those of the first version stay.
do $$
begin
    alter role pgdeid_replication connection limit 128;
    alter role pgdeid_reader connection limit 128;
exception when insufficient_privilege then
    raise notice 'pgdeid: the connection limits of pgdeid_replication and pgdeid_reader stay as they are';
end
$$;
