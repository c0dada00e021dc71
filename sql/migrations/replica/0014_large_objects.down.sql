do $$
declare
    p text;
begin
    for p in select object from deid.public_privilege where object like 'function %' loop
        execute format('grant execute on %s to public', p);
    end loop;
end
$$;

delete from deid.public_privilege where object like 'function %';
alter table deid.public_privilege drop constraint public_privilege_object_check;
alter table deid.public_privilege add constraint public_privilege_object_check check (object in ('database', 'schema public'));
