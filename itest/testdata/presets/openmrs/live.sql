insert into openmrs.person (person_id, gender, birthdate, uuid) select n, sex, born, 'p' || n from people where n = 11;
insert into openmrs.person_name (person_name_id, person_id, given_name, family_name, uuid) select n, n, given, family, 'n' || n from people where n = 11;
insert into openmrs.patient (patient_id) values (11);
insert into openmrs.patient_identifier (patient_identifier_id, patient_id, identifier, identifier_type, uuid) select n, n, mrn, 1, 'i' || n from people where n = 11;
insert into openmrs.person_attribute (person_attribute_id, person_id, value, person_attribute_type_id, uuid) select n, n, kin, 1, 'at' || n from people where n = 11;
insert into openmrs.person_address (person_address_id, person_id, address1, city_village, uuid) select n, n, street, city, 'a' || n from people where n = 11;
insert into openmrs.visit (visit_id, patient_id, visit_type_id, date_started, uuid) values (11, 11, 1, '2024-06-01', 'v11');
insert into openmrs.encounter (encounter_id, encounter_type, patient_id, encounter_datetime, visit_id, uuid) values (11, 1, 11, '2024-06-01', 11, 'e11');
insert into openmrs.obs (obs_id, person_id, concept_id, encounter_id, obs_datetime, value_text, uuid)
	select n, n, 162169, n, '2024-06-01', says || ' Dr. Hartsbottom agrees.', 'o' || n from people where n = 11;
-- A married name, which older notes are made anew for; a text that is corrected; what is taken back.
update openmrs.person_name set family_name2 = family_name, family_name = 'Pfannenstielke' where person_id = 7;
update openmrs.obs set value_text = value_text || ' Seen again as Pfannenstielke of Larkenmoor Infirmary.' where obs_id = 7;
update openmrs.obs set comments = 'ask ' || (select kin from people where n = 3) where obs_id = 3;
delete from openmrs.orders where order_id = 4;
delete from openmrs.obs where obs_id in (104, 4);
