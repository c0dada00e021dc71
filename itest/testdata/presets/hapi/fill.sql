create function pg_temp.named(type text, n integer) returns text language sql as $$ select case type when 'Patient' then 'fam-77192' || (800 + n) || '-' || n when 'Encounter' then 'enc-' || n else null end $$;
-- Ids are the server's own unless a client chose them.
create function pg_temp.key(type text, n integer) returns bigint language sql as
	$$ select array_position(array['Organization', 'Practitioner', 'Patient', 'Encounter', 'Observation', 'Condition', 'MedicationRequest', 'DocumentReference', 'DiagnosticReport'], type) * 1000 + n $$;
create function pg_temp.ref(type text, n integer, display text default null) returns jsonb language sql as
	$$ select jsonb_strip_nulls(jsonb_build_object('reference', type || '/' || coalesce(pg_temp.named(type, n), pg_temp.key(type, n)::text), 'display', display)) $$;
create function pg_temp.coded(code text, display text) returns jsonb language sql as
	$$ select jsonb_build_object('coding', jsonb_build_array(jsonb_build_object('system', 'http://loinc.org', 'code', code, 'display', display)), 'text', display) $$;
create function pg_temp.narrative(says text) returns jsonb language sql as
	$$ select jsonb_build_object('status', 'generated', 'div', '<div xmlns="http://www.w3.org/1999/xhtml"><p>' || says || '</p></div>') $$;
create function pg_temp.attached(type text, data text) returns jsonb language sql as
	$$ select jsonb_build_object('contentType', type, 'data', replace(encode(convert_to(data, 'UTF8'), 'base64'), chr(10), '')) $$;
-- What is searched for is kept in the clear beside a resource.
create function pg_temp.index(type text, of bigint, name text, value text) returns void language sql as $$
	insert into hfj_spidx_string (sp_id, sp_missing, sp_name, res_id, res_type, sp_value_exact, sp_value_normalized) select nextval('seq_index_id'), false, name, of, type, value, upper(value) where value is not null;
	insert into hfj_spidx_token (sp_id, sp_missing, sp_name, res_id, res_type, sp_value) select nextval('seq_index_id'), false, name, of, type, value where value is not null;
	insert into hfj_spidx_uri (sp_id, sp_missing, sp_name, res_id, res_type, sp_uri) select nextval('seq_index_id'), false, name, of, type, 'https://ehr.example.org/' || value where value is not null;
	$$;
-- A version of a resource of a patient, as the server stores it: without id and meta.
create function pg_temp.put(type text, n integer, patient integer, resource jsonb, at timestamp default '2024-03-02 08:00') returns void language plpgsql as $$
	declare key bigint := pg_temp.key(type, n); version bigint; link record;
	begin
		insert into hfj_resource (res_id, res_version, res_published, res_updated, fhir_id, res_type, res_ver) values (key, 'R4', at, at, coalesce(pg_temp.named(type, n), key::text), type, 1)
			on conflict (res_id) do update set res_ver = hfj_resource.res_ver + 1, res_updated = at returning res_ver into version;
		insert into hfj_res_ver (pid, res_version, res_published, res_updated, res_encoding, res_id, res_text_vc, res_type, res_ver)
			values (nextval('seq_resource_id'), 'R4', at, at, 'JSON', key, (jsonb_build_object('resourceType', type) || resource)::text, type, version);
		if patient > 0 and version = 1 then
			insert into hfj_res_link (pid, src_path, src_resource_id, source_resource_type, target_resource_id, target_resource_type)
				select nextval('seq_index_id'), type || path, key, type, pg_temp.key('Patient', patient), 'Patient' from unnest(array['.subject', '.subject.where(resolve() is Patient)']) path;
			insert into hfj_res_link (pid, src_path, src_resource_id, source_resource_type, target_resource_id, target_resource_type)
				values (nextval('seq_index_id'), type || '.performer', key, type, pg_temp.key('Practitioner', 1), 'Practitioner');
		end if;
		perform pg_temp.index(type, key, 'name', resource #>> '{name,0,family}');
		perform pg_temp.index(type, key, 'identifier', resource #>> '{identifier,0,value}');
		insert into hfj_spidx_date (sp_id, sp_missing, sp_name, res_id, res_type, sp_value_low, sp_value_low_date_ordinal)
			select nextval('seq_index_id'), false, 'birthdate', key, type, born, to_char(born, 'YYYYMMDD')::integer from (select (resource ->> 'birthDate')::date) b (born) where born is not null;
		if pg_temp.named(type, n) is not null and version = 1 then
			insert into hfj_forced_id (pid, forced_id, resource_pid, resource_type) values (nextval('seq_index_id'), pg_temp.named(type, n), key, type);
		end if;
	end $$;
insert into hfj_tag_def (tag_id, tag_code, tag_display, tag_type) values (1, 'vip', 'known to Gwendolara Hartsbottom', 0);
select pg_temp.put('Organization', 1, 0, '{"active": true, "name": "Larkenmoor Infirmary"}');
select pg_temp.put('Practitioner', 1, 0, '{"active": true, "name": [{"family": "Hartsbottom", "given": ["Gwendolara"]}], "identifier": [{"value": "1629384756"}]}');
select pg_temp.put('Patient', n, 0, jsonb_build_object('active', true, 'name', jsonb_build_array(jsonb_build_object('family', family, 'given', jsonb_build_array(given, middle))),
		'identifier', jsonb_build_array(jsonb_build_object('value', mrn), jsonb_build_object('value', ssn)),
		'telecom', jsonb_build_array(jsonb_build_object('system', 'phone', 'value', phone), jsonb_build_object('system', 'email', 'value', email)), 'gender', 'unknown', 'birthDate', born,
		'address', jsonb_build_array(jsonb_build_object('line', jsonb_build_array(street), 'city', city, 'state', state, 'postalCode', zip)),
		'contact', jsonb_build_array(jsonb_build_object('name', jsonb_build_object('text', kin))), 'text', pg_temp.narrative(given || ' ' || family || ' ' || mrn)))
	from people where n <= 10;
insert into hfj_res_tag (pid, tag_id, res_id, res_type) values (1, 1, pg_temp.key('Patient', 1), 'Patient');
-- A link between patients, and one of a patient to another resource, do not make a patient another's.
insert into hfj_res_link (pid, src_path, src_resource_id, source_resource_type, target_resource_id, target_resource_type) values
	(nextval('seq_index_id'), 'Patient.link.other', pg_temp.key('Patient', 2), 'Patient', pg_temp.key('Patient', 3), 'Patient'),
	(nextval('seq_index_id'), 'Patient.generalPractitioner', pg_temp.key('Patient', 2), 'Patient', pg_temp.key('Practitioner', 1), 'Practitioner');
select pg_temp.put('Encounter', n, n, jsonb_build_object('status', 'finished', 'class', jsonb_build_object('code', 'AMB'), 'subject', pg_temp.ref('Patient', n, family || ', ' || given),
		'identifier', jsonb_build_array(jsonb_build_object('value', 'ENC' || mrn)), 'period', jsonb_build_object('start', (date '2024-03-01' + n) || 'T08:00:00Z',
			'end', (date '2024-03-04' + n) || 'T10:00:00Z'), 'reasonCode', jsonb_build_array(jsonb_build_object('text', 'sent by ' || kin)),
		'participant', jsonb_build_array(jsonb_build_object('individual', pg_temp.ref('Practitioner', 1, 'Nurse ' || kin))),
		'serviceProvider', pg_temp.ref('Organization', 1, 'Larkenmoor Infirmary')))
	from people where n <= 10;
select pg_temp.put('Observation', n, n, jsonb_build_object('status', 'final', 'code', pg_temp.coded('2823-3', 'Potassium'), 'subject', pg_temp.ref('Patient', n, given),
		'encounter', pg_temp.ref('Encounter', n), 'effectiveDateTime', (date '2024-03-02' + n) || 'T09:00:00Z', 'performer', jsonb_build_array(pg_temp.ref('Practitioner', 1), pg_temp.ref('Patient', n)),
		'valueQuantity', jsonb_build_object('value', 4.1, 'unit', 'mmol/L'), 'note', jsonb_build_array(jsonb_build_object('text', 'called to ' || kin))))
	from people where n <= 10;
select pg_temp.put('Condition', n, n, jsonb_build_object('clinicalStatus', pg_temp.coded('active', 'Active'), 'code', jsonb_build_object('text', 'Cough, says ' || kin),
		'subject', pg_temp.ref('Patient', n), 'onsetString', 'when ' || given || ' moved to ' || street)) from people where n <= 10;
select pg_temp.put('MedicationRequest', n, n, jsonb_build_object('status', 'active', 'intent', 'order', 'medicationCodeableConcept', pg_temp.coded('308191', 'Amoxicillin'),
		'subject', pg_temp.ref('Patient', n), 'authoredOn', date '2024-03-02' + n, 'requester', pg_temp.ref('Practitioner', 1, 'Gwendolara Hartsbottom'))) from people where n <= 10;
select pg_temp.put('DocumentReference', n, n, jsonb_build_object('status', 'current', 'type', pg_temp.coded('11506-3', 'Progress note'), 'subject', pg_temp.ref('Patient', n),
		'date', (date '2024-03-02' + n) || 'T09:00:00Z', 'description', 'Note about ' || family, 'text', pg_temp.narrative(says), 'content', jsonb_build_array(jsonb_build_object('attachment',
			pg_temp.attached('text/plain', says) || jsonb_build_object('title', family || '.txt', 'url', 'https://ehr.example.org/' || mrn))),
		'context', jsonb_build_object('encounter', jsonb_build_array(pg_temp.ref('Encounter', n))))) from people where n <= 10;
select pg_temp.put('DiagnosticReport', n, n, jsonb_build_object('status', 'final', 'code', pg_temp.coded('24323-8', 'Panel'), 'subject', pg_temp.ref('Patient', n),
		'identifier', jsonb_build_array(jsonb_build_object('value', 'ACC' || mrn)), 'conclusion', says, 'result', jsonb_build_array(pg_temp.ref('Observation', n)))) from people where n <= 10;
