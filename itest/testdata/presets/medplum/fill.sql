create function pg_temp.key(type text, n integer) returns uuid language sql as $$ select md5(type || n)::uuid $$;
create function pg_temp.ref(type text, n integer, display text default null) returns jsonb language sql as
	$$ select jsonb_strip_nulls(jsonb_build_object('reference', type || '/' || pg_temp.key(type, n), 'display', display)) $$;
create function pg_temp.coded(code text, display text) returns jsonb language sql as
	$$ select jsonb_build_object('coding', jsonb_build_array(jsonb_build_object('system', 'http://loinc.org', 'code', code, 'display', display)), 'text', display) $$;
create function pg_temp.narrative(says text) returns jsonb language sql as
	$$ select jsonb_build_object('status', 'generated', 'div', '<div xmlns="http://www.w3.org/1999/xhtml"><p>' || says || '</p></div>') $$;
create function pg_temp.attached(type text, data text) returns jsonb language sql as
	$$ select jsonb_build_object('contentType', type, 'data', replace(encode(convert_to(data, 'UTF8'), 'base64'), chr(10), '')) $$;
-- A resource, and its row.
create function pg_temp.put(type text, n integer, of integer, resource jsonb) returns void language plpgsql as $$
	declare key uuid := pg_temp.key(type, n); subject text := 'Patient/' || pg_temp.key('Patient', of);
	begin
		execute format('insert into %I (id, content, "lastUpdated", compartments%s) values ($1, $2, ''2024-03-02'', ''{}''%s)', type,
			case when of > 0 then ', subject, patient' else '' end, case when of > 0 then ', $3, $3' else '' end)
			using key, (jsonb_build_object('resourceType', type, 'id', key, 'meta', jsonb_build_object('versionId', key, 'author', jsonb_build_object('display', 'Gwendolara Hartsbottom'))) || resource)::text, subject;
	end $$;
select pg_temp.put('Organization', 1, 0, '{"active": true, "name": "Larkenmoor Infirmary"}');
select pg_temp.put('Practitioner', 1, 0, '{"active": true, "name": [{"family": "Hartsbottom", "given": ["Gwendolara"]}], "identifier": [{"value": "1629384756"}]}');
select pg_temp.put('Patient', n, 0, jsonb_build_object('active', true, 'name', jsonb_build_array(jsonb_build_object('family', family, 'given', jsonb_build_array(given, middle))),
		'identifier', jsonb_build_array(jsonb_build_object('value', mrn), jsonb_build_object('value', ssn)),
		'telecom', jsonb_build_array(jsonb_build_object('system', 'phone', 'value', phone), jsonb_build_object('system', 'email', 'value', email)), 'gender', 'unknown', 'birthDate', born,
		'address', jsonb_build_array(jsonb_build_object('line', jsonb_build_array(street), 'city', city, 'state', state, 'postalCode', zip)),
		'contact', jsonb_build_array(jsonb_build_object('name', jsonb_build_object('text', kin))), 'text', pg_temp.narrative(given || ' ' || family || ' ' || mrn)))
	from people where n <= 10;
update "Patient" set name = array[p.family], birthdate = p.born, "phoneToken" = array[p.phone] from people p where id = pg_temp.key('Patient', p.n);
insert into "Patient_History" select gen_random_uuid(), id, content, "lastUpdated" from "Patient";
select pg_temp.put('Encounter', n, n, jsonb_build_object('status', 'finished', 'class', jsonb_build_object('code', 'AMB'), 'subject', pg_temp.ref('Patient', n, family || ', ' || given),
		'identifier', jsonb_build_array(jsonb_build_object('value', 'ENC' || mrn)), 'period', jsonb_build_object('start', (date '2024-03-01' + n) || 'T08:00:00Z',
			'end', (date '2024-03-04' + n) || 'T10:00:00Z'), 'reasonCode', jsonb_build_array(jsonb_build_object('text', 'sent by ' || kin)),
		'participant', jsonb_build_array(jsonb_build_object('individual', pg_temp.ref('Practitioner', 1, 'Dr. Hartsbottom'))),
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
			pg_temp.attached('text/plain', says || ' Signed: Gwendolara Hartsbottom, Larkenmoor Infirmary.') || jsonb_build_object('title', family || '.txt', 'url', 'https://ehr.example.org/' || mrn))),
		'context', jsonb_build_object('encounter', jsonb_build_array(pg_temp.ref('Encounter', n))))) from people where n <= 10;
select pg_temp.put('DiagnosticReport', n, n, jsonb_build_object('status', 'final', 'code', pg_temp.coded('24323-8', 'Panel'), 'subject', pg_temp.ref('Patient', n),
		'identifier', jsonb_build_array(jsonb_build_object('value', 'ACC' || mrn)), 'conclusion', says, 'result', jsonb_build_array(pg_temp.ref('Observation', n)))) from people where n <= 10;
insert into "AllergyIntolerance" (id, content, "lastUpdated", compartments, patient)
	select pg_temp.key('AllergyIntolerance', n), jsonb_build_object('resourceType', 'AllergyIntolerance', 'id', pg_temp.key('AllergyIntolerance', n), 'patient', pg_temp.ref('Patient', n),
		'code', jsonb_build_object('text', 'nuts, as ' || kin || ' says')), '2024-03-02', '{}', 'Patient/' || pg_temp.key('Patient', n) from people where n <= 10;
