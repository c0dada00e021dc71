insert into openmrs.location (location_id, name, description, address1, uuid) values
	(1, 'Larkenmoor Infirmary', 'by the quay', '1 Larkenmoor Quay', 'l1'), (2, 'Ward Three', null, null, 'l2');
update openmrs.location set parent_location = 1 where location_id = 2;
insert into openmrs.person_attribute_type values (1, 'Mother''s Name', 'java.lang.String'), (2, 'Telephone Number', 'java.lang.String');
insert into openmrs.person (person_id, gender, birthdate, dead, uuid, void_reason, cause_of_death_non_coded)
	select n, sex, born, false, 'p' || n, given, family from people where n <= 10;
insert into openmrs.person (person_id, uuid) values (90, 'p90');
insert into openmrs.person_name (person_name_id, preferred, person_id, prefix, given_name, middle_name, family_name, uuid)
	select n, true, n, case sex when 'F' then 'Mrs.' end, given, middle, family, 'n' || n from people where n <= 10;
insert into openmrs.person_name (person_name_id, person_id, given_name, family_name, uuid) values (90, 90, 'Gwendolara', 'Hartsbottom', 'n90');
insert into openmrs.person_address (person_address_id, person_id, address1, address4, city_village, state_province, postal_code, country, latitude, longitude, uuid)
	select n, n, street, city, city, state, zip, 'USA', '42.3736' || n, '-71.1097' || n, 'a' || n from people where n <= 10;
insert into openmrs.person_attribute (person_attribute_id, person_id, value, person_attribute_type_id, uuid)
	select n, n, kin, 1, 'at' || n from people where n <= 10 union all select 100 + n, n, phone, 2, 'au' || n from people where n <= 10;
insert into openmrs.patient (patient_id) select n from people where n <= 10;
insert into openmrs.patient_identifier (patient_identifier_id, patient_id, identifier, identifier_type, preferred, uuid)
	select n, n, mrn, 1, true, 'i' || n from people where n <= 10 union all select 100 + n, n, ssn, 2, false, 'j' || n from people where n <= 10;
insert into openmrs.visit (visit_id, patient_id, visit_type_id, date_started, date_stopped, location_id, uuid)
	select n, n, 1, '2024-03-01 08:00'::timestamp + n * interval '1 day', '2024-03-04 10:00'::timestamp + n * interval '1 day', 2, 'v' || n from people where n <= 10;
insert into openmrs.encounter (encounter_id, encounter_type, patient_id, location_id, form_id, encounter_datetime, visit_id, uuid)
	select n, 1, n, 2, 3, '2024-03-02 09:00'::timestamp + n * interval '1 day', n, 'e' || n from people where n <= 10;
insert into openmrs.obs (obs_id, person_id, concept_id, encounter_id, obs_datetime, location_id, accession_number, value_text, comments, value_complex, uuid)
	select n, n, 162169, n, '2024-03-02 09:30'::timestamp + n * interval '1 day', 2, 'ACC' || mrn, says, 'told to ' || kin, family || '.jpg', 'o' || n from people where n <= 10;
insert into openmrs.obs (obs_id, person_id, concept_id, encounter_id, obs_datetime, obs_group_id, value_numeric, uuid)
	select 100 + n, n, 5088, n, '2024-03-02 09:30'::timestamp + n * interval '1 day', n, 36.5 + n / 10.0, 'q' || n from people where n <= 10;
insert into openmrs.conditions (condition_id, patient_id, encounter_id, condition_non_coded, clinical_status, onset_date, additional_detail, uuid)
	select n, n, n, 'cough', 'ACTIVE', '2024-02-01'::timestamp, kin || ' says since winter', 'c' || n from people where n <= 10;
insert into openmrs.provider (provider_id, person_id, name, identifier, uuid) values (1, 90, 'Gwendolara Hartsbottom', 'ghartsbottom', 'pr1');
insert into openmrs.orders (order_id, order_type_id, concept_id, orderer, encounter_id, patient_id, instructions, date_activated, order_number, order_action, uuid)
	select n, 2, 71617, 1, n, n, 'call ' || given || ' ' || family || ' at ' || phone, '2024-03-02'::timestamp, 'ORD-' || mrn, 'NEW', 'or' || n from people where n <= 10;
insert into openmrs.encounter_provider (encounter_provider_id, encounter_id, provider_id, encounter_role_id, uuid)
	select n, n, 1, 1, 'ep' || n from people where n <= 10;
insert into openmrs.users (user_id, system_id, username, email, person_id, uuid) values (1, 'admin', 'ghartsbottom', 'ghartsbottom@larkenmoor.example', 90, 'u1');
