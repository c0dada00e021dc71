create function pg_temp.ref(type text, id text, display text default null) returns jsonb language sql as
	$$ select jsonb_strip_nulls(jsonb_build_object('resourceType', type, 'id', id, 'display', display)) $$;
create function pg_temp.coded(code text, display text) returns jsonb language sql as
	$$ select jsonb_build_object('coding', jsonb_build_array(jsonb_build_object('system', 'http://loinc.org', 'code', code, 'display', display)), 'text', display) $$;
create function pg_temp.narrative(says text) returns jsonb language sql as
	$$ select jsonb_build_object('status', 'generated', 'div', '<div xmlns="http://www.w3.org/1999/xhtml"><p>' || says || '</p></div>') $$;
create function pg_temp.attached(type text, data text) returns jsonb language sql as
	$$ select jsonb_build_object('contentType', type, 'data', replace(encode(convert_to(data, 'UTF8'), 'base64'), chr(10), '')) $$;
insert into organization (id, txid, resource) values ('org-1', 1, '{"active": true, "name": "Larkenmoor Infirmary", "alias": ["The Larkenmoor"]}');
insert into practitioner (id, txid, resource) values ('dr-1', 1, '{"active": true, "name": [{"family": "Hartsbottom", "given": ["Gwendolara"]}],
	"identifier": [{"system": "http://hl7.org/fhir/sid/us-npi", "value": "1629384756"}], "gender": "female"}');
insert into patient (id, txid, resource)
	select 'pt-' || n, 1, jsonb_build_object('active', true, 'name', jsonb_build_array(jsonb_build_object('use', 'official', 'family', family, 'given',
			jsonb_build_array(given, middle), 'text', given || ' ' || family)),
		'identifier', jsonb_build_array(jsonb_build_object('system', 'urn:mrn', 'value', mrn), jsonb_build_object('system', 'urn:ssn', 'value', ssn)),
		'telecom', jsonb_build_array(jsonb_build_object('system', 'phone', 'value', phone), jsonb_build_object('system', 'email', 'value', email)),
		'gender', case sex when 'F' then 'female' else 'male' end, 'birthDate', born, 'address', jsonb_build_array(jsonb_build_object('use', 'home', 'line',
			jsonb_build_array(street), 'city', city, 'state', state, 'postalCode', zip, 'country', 'US')),
		'contact', jsonb_build_array(jsonb_build_object('name', jsonb_build_object('text', kin))), 'text', pg_temp.narrative(given || ' ' || family || ' ' || mrn),
		'photo', jsonb_build_array(jsonb_build_object('title', family)), 'extension', jsonb_build_array(jsonb_build_object('url', 'urn:x', 'valueString', kin)))
	from people where n <= 10;
insert into encounter (id, txid, resource)
	select 'en-' || n, 1, jsonb_build_object('status', 'finished', 'class', jsonb_build_object('code', 'AMB'), 'subject', pg_temp.ref('Patient', 'pt-' || n, family || ', ' || given),
		'identifier', jsonb_build_array(jsonb_build_object('value', 'ENC' || mrn)), 'period', jsonb_build_object('start', (date '2024-03-01' + n) || 'T08:00:00Z',
			'end', (date '2024-03-04' + n) || 'T10:00:00Z'), 'reasonCode', jsonb_build_array(jsonb_build_object('text', 'sent by ' || kin)),
		'participant', jsonb_build_array(jsonb_build_object('individual', pg_temp.ref('Practitioner', 'dr-1', 'Dr. Hartsbottom'))),
		'serviceProvider', pg_temp.ref('Organization', 'org-1', 'Larkenmoor Infirmary'))
	from people where n <= 10;
insert into observation (id, txid, resource)
	select 'ob-' || n, 1, jsonb_build_object('status', 'final', 'code', pg_temp.coded('2823-3', 'Potassium'), 'subject', pg_temp.ref('Patient', 'pt-' || n, given),
		'encounter', pg_temp.ref('Encounter', 'en-' || n), 'effective', jsonb_build_object('dateTime', (date '2024-03-02' + n) || 'T09:00:00Z'),
		'value', jsonb_build_object('Quantity', jsonb_build_object('value', 4.1, 'unit', 'mmol/L')), 'note', jsonb_build_array(jsonb_build_object('text', 'called to ' || kin)))
	from people where n <= 10;
insert into condition (id, txid, resource)
	select 'co-' || n, 1, jsonb_build_object('clinicalStatus', pg_temp.coded('active', 'Active'), 'code', jsonb_build_object('text', 'Cough, says ' || kin),
		'subject', pg_temp.ref('Patient', 'pt-' || n), 'onset', jsonb_build_object('string', 'when ' || given || ' moved to ' || street))
	from people where n <= 10;
insert into medicationrequest (id, txid, resource)
	select 'mr-' || n, 1, jsonb_build_object('status', 'active', 'intent', 'order', 'medication', jsonb_build_object('CodeableConcept', pg_temp.coded('308191', 'Amoxicillin')),
		'subject', pg_temp.ref('Patient', 'pt-' || n), 'authoredOn', date '2024-03-02' + n, 'dosageInstruction', jsonb_build_array(jsonb_build_object('text', 'three a day, by ' || kin)))
	from people where n <= 10;
insert into documentreference (id, txid, resource)
	select 'dc-' || n, 1, jsonb_build_object('status', 'current', 'type', pg_temp.coded('11506-3', 'Progress note'), 'subject', pg_temp.ref('Patient', 'pt-' || n),
		'date', (date '2024-03-02' + n) || 'T09:00:00Z', 'description', 'Note about ' || family, 'text', pg_temp.narrative(says), 'content', jsonb_build_array(jsonb_build_object('attachment',
			case when n % 2 = 0 then pg_temp.attached('text/plain', says || ' Signed: Gwendolara Hartsbottom, Larkenmoor Infirmary.')
				else pg_temp.attached('text/html', '<html><body><p>' || replace(says, family, left(family, 3) || '<b>' || substr(family, 4) || '</b>') || '</p></body></html>') end
			|| jsonb_build_object('title', family || '.html', 'url', 'https://ehr.example.org/' || mrn))),
		'context', jsonb_build_object('encounter', jsonb_build_array(pg_temp.ref('Encounter', 'en-' || n))))
	from people where n <= 10;
insert into diagnosticreport (id, txid, resource)
	select 'rp-' || n, 1, jsonb_build_object('status', 'final', 'code', pg_temp.coded('24323-8', 'Panel'), 'subject', pg_temp.ref('Patient', 'pt-' || n),
		'identifier', jsonb_build_array(jsonb_build_object('value', 'ACC' || mrn)), 'conclusion', says, 'result', jsonb_build_array(pg_temp.ref('Observation', 'ob-' || n)))
	from people where n <= 10;
