insert into clarity.patient (pat_id, pat_name, pat_last_name, pat_first_name, pat_mrn_id, ssn, birth_date, add_line_1, city, home_phone)
	select 'Z' || mrn, upper(family || ',' || given), upper(family), upper(given), 'E' || mrn, ssn, born, upper(street), upper(city), phone from people where n = 11;
insert into clarity.pat_relationships (pat_id, line, pat_rel_name) select 'Z' || mrn, 1, upper(kin) from people where n = 11;
insert into clarity.identity_id select 'Z' || mrn, 1, mrn, 14 from people where n = 11;
insert into clarity.pat_enc (pat_enc_csn_id, pat_id, contact_date, department_id) select 5011, 'Z' || mrn, '2024-06-01', 10010 from people where n = 11;
insert into clarity.hno_info (note_id, pat_id, pat_enc_csn_id, note_desc, create_instant_dttm) select '8811', 'Z' || mrn, 5011, 'Progress note', '2024-06-01' from people where n = 11;
insert into clarity.hno_note_text (note_csn_id, line, note_id, contact_date, note_text)
	select 70011, l, '8811', '2024-06-01', substr(says, 40 * l - 39, 40) from people, generate_series(1, 8) l where n = 11 and length(says) > 40 * (l - 1);
update clarity.patient set pat_last_name = 'PFANNENSTIELKE', pat_name = 'PFANNENSTIELKE,PHILOMENKA' where pat_id = 'Z77192807';
insert into clarity.patient_alias values ('Z77192807', 1, 'DUNWOODEIGH,PHILOMENKA');
update clarity.problem_list set problem_cmt = 'now Mrs. Pfannenstielke' where problem_list_id = 7;
update clarity.hno_note_text set note_text = 'corrected: ' || note_text where note_id = '883' and line = 1;
delete from clarity.hno_note_text where note_id = '884';
delete from clarity.hno_info where note_id = '884';
delete from clarity.problem_list where problem_list_id = 4;
