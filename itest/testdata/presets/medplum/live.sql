select pg_temp.put('Patient', n, 0, jsonb_build_object('name', jsonb_build_array(jsonb_build_object('family', family, 'given', jsonb_build_array(given))), 'birthDate', born,
		'identifier', jsonb_build_array(jsonb_build_object('value', mrn)), 'telecom', jsonb_build_array(jsonb_build_object('value', phone)),
		'address', jsonb_build_array(jsonb_build_object('line', jsonb_build_array(street), 'city', city)), 'contact', jsonb_build_array(jsonb_build_object('name', jsonb_build_object('text', kin)))))
	from people where n = 11;
select pg_temp.put('DocumentReference', n, n, jsonb_build_object('status', 'current', 'subject', pg_temp.ref('Patient', n), 'content', jsonb_build_array(jsonb_build_object('attachment',
		pg_temp.attached('text/plain', says || ' Seen with Dr. Hartsbottom.'))))) from people where n = 11;
update "Patient" set content = jsonb_set(content::jsonb, '{name}', '[{"family": "Pfannenstielke", "given": ["Philomenka"]}, {"use": "old", "family": "Dunwoodeigh"}]')::text where id = pg_temp.key('Patient', 7);
update "DocumentReference" set content = jsonb_set(content::jsonb, '{description}', '"About Mrs. Pfannenstielke"')::text where id = pg_temp.key('DocumentReference', 7);
delete from "DiagnosticReport" where id = pg_temp.key('DiagnosticReport', 4);
delete from "DocumentReference" where id = pg_temp.key('DocumentReference', 4);
