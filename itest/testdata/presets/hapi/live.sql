select pg_temp.put('Patient', n, 0, jsonb_build_object('name', jsonb_build_array(jsonb_build_object('family', family, 'given', jsonb_build_array(given))), 'birthDate', born,
		'identifier', jsonb_build_array(jsonb_build_object('value', mrn)), 'telecom', jsonb_build_array(jsonb_build_object('value', phone)),
		'address', jsonb_build_array(jsonb_build_object('line', jsonb_build_array(street), 'city', city)), 'contact', jsonb_build_array(jsonb_build_object('name', jsonb_build_object('text', kin)))))
	from people where n = 11;
select pg_temp.put('DocumentReference', n, n, jsonb_build_object('status', 'current', 'subject', pg_temp.ref('Patient', n), 'content', jsonb_build_array(jsonb_build_object('attachment',
		pg_temp.attached('text/plain', says))))) from people where n = 11;
-- A new version of a patient, who has another name now, and of a note about that.
select pg_temp.put('Patient', 7, 0, '{"name": [{"family": "Pfannenstielke", "given": ["Philomenka"]}, {"use": "old", "family": "Dunwoodeigh"}]}', '2024-06-01 09:00');
select pg_temp.put('DocumentReference', 7, 7, jsonb_build_object('status', 'current', 'subject', pg_temp.ref('Patient', 7), 'description', 'About Mrs. Pfannenstielke',
	'content', jsonb_build_array(jsonb_build_object('attachment', jsonb_build_object('title', 'Pfannenstielke.txt', 'contentType', 'text/plain')))), '2024-06-01 09:05');
-- The server deletes by another version, without a text; its links go, and the versions of before stay.
update hfj_resource set res_deleted_at = '2024-06-02 10:00', res_ver = 2 where res_id = pg_temp.key('Patient', 10);
insert into hfj_res_ver (pid, res_deleted_at, res_version, res_published, res_updated, res_encoding, res_id, res_type, res_ver)
	values (nextval('seq_resource_id'), '2024-06-02 10:00', 'R4', '2024-03-02', '2024-06-02 10:00', 'DEL', pg_temp.key('Patient', 10), 'Patient', 2);
-- $expunge deletes rows.
delete from hfj_res_link where src_resource_id = pg_temp.key('DiagnosticReport', 4);
delete from hfj_spidx_string where res_id = pg_temp.key('DiagnosticReport', 4);
delete from hfj_spidx_token where res_id = pg_temp.key('DiagnosticReport', 4);
delete from hfj_spidx_uri where res_id = pg_temp.key('DiagnosticReport', 4);
delete from hfj_res_ver where res_id = pg_temp.key('DiagnosticReport', 4);
delete from hfj_resource where res_id = pg_temp.key('DiagnosticReport', 4);
