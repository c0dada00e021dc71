insert into patient (id, txid, resource) select 'pt-' || n, 2, jsonb_build_object('name', jsonb_build_array(jsonb_build_object('family', family, 'given', jsonb_build_array(given))),
	'birthDate', born, 'identifier', jsonb_build_array(jsonb_build_object('value', mrn)), 'telecom', jsonb_build_array(jsonb_build_object('value', phone)),
	'address', jsonb_build_array(jsonb_build_object('line', jsonb_build_array(street), 'city', city)), 'contact', jsonb_build_array(jsonb_build_object('name', jsonb_build_object('text', kin))))
	from people where n = 11;
insert into encounter (id, txid, resource) values ('en-11', 2, jsonb_build_object('status', 'planned', 'subject', pg_temp.ref('Patient', 'pt-11')));
insert into documentreference (id, txid, resource)
	select 'dc-11', 2, jsonb_build_object('status', 'current', 'subject', pg_temp.ref('Patient', 'pt-11'), 'content', jsonb_build_array(jsonb_build_object('attachment',
		pg_temp.attached('text/plain', says || ' Seen with Dr. Hartsbottom.'))), 'context', jsonb_build_object('encounter', jsonb_build_array(pg_temp.ref('Encounter', 'en-11'))))
	from people where n = 11;
update patient set status = 'updated', resource = jsonb_set(resource, '{name}', '[{"family": "Pfannenstielke", "given": ["Philomenka"]}, {"use": "old", "family": "Dunwoodeigh"}]') where id = 'pt-7';
update documentreference set resource = jsonb_set(resource, '{description}', '"About Mrs. Pfannenstielke"') where id = 'dc-7';
update observation set resource = resource || jsonb_build_object('note', jsonb_build_array(jsonb_build_object('text', 'called again to ' || (select kin from people where n = 3)))) where id = 'ob-3';
delete from diagnosticreport where id = 'rp-4';
delete from documentreference where id = 'dc-4';
