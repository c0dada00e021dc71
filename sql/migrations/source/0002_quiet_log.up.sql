-- Whatever statements of pgdeid's roles a site logs, it logs them without parameters: patients' keys.
do $$
declare
    r name;
    s record;
begin
    foreach r in array '{pgdeid_replication,pgdeid_reader}'::name[] loop
        for s in select * from (values ('log_parameter_max_length', '0'), ('log_parameter_max_length_on_error', '0'),
            ('auto_explain.log_parameter_max_length', '0'), ('pgaudit.log_parameter', 'off')) v (name, value)
        loop
            begin
                execute format('alter role %I set %s = %L', r, s.name, s.value);
            exception when insufficient_privilege or undefined_object or invalid_name then -- "pgdeid check" says what remains
                null;
            end;
        end loop;
    end loop;
end
$$;
