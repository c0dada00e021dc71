-- PostgreSQL lets every role write large objects: who may only read could fill the disk.
alter table deid.public_privilege drop constraint public_privilege_object_check;
alter table deid.public_privilege add constraint public_privilege_object_check
    check (object in ('database', 'schema public') or object like 'function %');

insert into deid.public_privilege
select 'function ' || p.oid::regprocedure::text, a.privilege_type
from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
where p.pronamespace = 'pg_catalog'::regnamespace and a.grantee = 0
  and p.proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_put', 'lowrite', 'lo_truncate', 'lo_truncate64');

do $$
declare
    p text;
begin
    for p in select object from deid.public_privilege where object like 'function %' loop
        execute format('revoke execute on %s from public', p);
    end loop;
end
$$;
