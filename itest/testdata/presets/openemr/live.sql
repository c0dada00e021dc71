insert into openemr.patient_data (id, pid, fname, lname, dob, street, ss, phone_home, mothersname, sex, pubpid)
	select 500 + n, n, given, family, born, street, ssn, phone, kin, sex, mrn from people where n = 11;
insert into openemr.form_encounter (id, date, reason, pid, encounter) values (11, '2024-06-01', 'cough', 11, 1011);
insert into openemr.forms (id, date, encounter, form_name, form_id, pid, formdir) values (11, '2024-06-01', 1011, 'SOAP', 11, 11, 'soap');
insert into openemr.form_soap (id, date, pid, subjective, objective) select n, '2024-06-01', n, says, 'seen with Dr. Hartsbottom' from people where n = 11;
insert into openemr.pnotes (id, date, body, pid, title) select n, '2024-06-02', says, n, 'About ' || family from people where n = 11;
update openemr.patient_data set lname = 'Pfannenstielke', birth_lname = lname where pid = 7;
update openemr.form_soap set plan = 'letter to Mrs. Pfannenstielke' where pid = 7;
update openemr.pnotes set body = body || ' Answered by ' || (select kin from people where n = 3) where pid = 3;
delete from openemr.pnotes where pid = 4;
delete from openemr.lists where pid = 5;
