drop view deid.deidentify, deid.deidentify_by_number, deid.deidentify_batch, deid.detect, deid.inbox, deid.outbox, deid.note_deid;
drop foreign table deid_engine.deidentify, deid_engine.deidentify_by_number, deid_engine.deidentify_batch, deid_engine.detect,
    deid_engine.inbox, deid_engine.outbox, deid_engine.note_deid;
drop user mapping if exists for pgdeid_engine server pgdeid_engine;
drop server pgdeid_engine;

-- An extension that came with pgdeid goes with it, unless somebody uses it by now.
do $$
begin
    if exists (select from pg_extension where extname = 'postgres_fdw' and extnamespace = 'deid_engine'::regnamespace) then
        begin
            drop extension postgres_fdw;
        exception when dependent_objects_still_exist then
            alter extension postgres_fdw set schema public;
        end;
    end if;
end
$$;
