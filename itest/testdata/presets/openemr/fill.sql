insert into openemr.facility values (1, 'Larkenmoor Family Practice', '617-482-0199', '1 Larkenmoor Quay', 'Wexcombe', '04-7719280');
insert into openemr.users (id, username, password, fname, lname, npi, email, federaldrugid) values
	(1, 'ghartsbottom', '$2y$10$secret', 'Gwendolara', 'Hartsbottom', '1629384756', 'ghartsbottom@larkenmoor.example', 'BH7719280');
insert into openemr.patient_data (id, pid, title, language, fname, mname, lname, birth_lname, dob, street, postal_code, city, state, county, country_code,
	drivers_license, ss, phone_home, phone_cell, contact_relationship, mothersname, sex, email, race, status, pubpid, genericval1, billing_note, usertext1)
	select 500 + n, n, 'Mx.', 'english', given, middle, family, middle, born, street, zip, city, state, 'Middlesex', 'USA', 'S' || mrn, ssn, phone, '857' || substr(phone, 4),
		kin, kin, sex, email, 'white', 'married', mrn, kin, 'bill ' || kin || ' of ' || street, given || 'ka' from people where n <= 10;
insert into openemr.employer_data select n, 'Quillfeather Tannery', '9 Tanyard Yard', '02139', 'Wexcombe', n from people where n <= 3;
insert into openemr.insurance_data (id, type, provider, plan_name, policy_number, group_number, subscriber_lname, subscriber_fname, subscriber_ss, subscriber_street, subscriber_phone, pid)
	select n, 'primary', '4', 'Gold', 'POL' || mrn, 'GRP7719', split_part(kin, ' ', 2), split_part(kin, ' ', 1), ssn, street, phone, n from people where n <= 10;
insert into openemr.form_encounter (id, date, reason, facility, facility_id, pid, encounter, onset_date, sensitivity, billing_note, provider_id, external_id)
	select n, '2024-03-02 09:00'::timestamp + n * interval '1 day', 'sent by ' || kin, 'Larkenmoor Family Practice', 1, n, 1000 + n, '2024-02-20', 'normal',
		'copay of ' || given, 1, 'X' || mrn from people where n <= 10;
insert into openemr.forms (id, date, encounter, form_name, form_id, pid, "user", groupname, authorized, formdir)
	select n, '2024-03-02 09:00', 1000 + n, 'SOAP', n, n, 'ghartsbottom', 'Default', 1, 'soap' from people where n <= 10;
insert into openemr.form_soap (id, date, pid, "user", activity, subjective, objective, assessment, plan)
	select n, '2024-03-02 09:10', n, 'ghartsbottom', 1, says, 'BP 131/82, seen by Dr. Hartsbottom.', 'cough', 'call ' || phone from people where n <= 10;
insert into openemr.form_clinical_notes (id, form_id, date, encounter, pid, "user", code, codetext, description, clinical_notes_type)
	select n, 100 + n, '2024-03-02', 1000 + n, n, 'ghartsbottom', 'LOINC:11506-3', 'Progress note', says || ' Works at Quillfeather Tannery.', 'progress_note' from people where n <= 3;
insert into openemr.form_vitals (id, date, pid, "user", bps, bpd, weight, note)
	select 200 + n, '2024-03-02 09:20', n, 'ghartsbottom', '131', '82', 70, 'taken by ' || kin from people where n <= 10;
insert into openemr.pnotes (id, date, body, pid, "user", title, assigned_to, message_status, activity)
	select n, '2024-03-03 11:00', '2024-03-03 11:00 (ghartsbottom to admin) ' || says, n, 'ghartsbottom', 'About ' || family, 'ghartsbottom', 'New', 1 from people where n <= 10;
insert into openemr.lists (id, date, type, title, begdate, diagnosis, comments, pid, referredby, activity)
	select n, '2024-03-02', 'medical_problem', 'cough', '2024-02-20', 'ICD10:R05.9', 'as ' || kin || ' says', n, 'Gwendolara Hartsbottom', 1 from people where n <= 10;
insert into openemr.prescriptions (id, patient_id, encounter, date_added, start_date, drug, rxnorm_drugcode, dosage, quantity, refills, note, provider_id)
	select n, n, 1000 + n, '2024-03-02', '2024-03-02', 'Amoxicillin 500 mg', '308191', '1', '21', 0, 'pick up: ' || kin, 1 from people where n <= 10;
insert into openemr.history_data (id, pid, date, history_mother, name_1, additional_history)
	select n, n, '2024-03-02', 'asthma', kin, 'lives with ' || kin from people where n <= 10;
