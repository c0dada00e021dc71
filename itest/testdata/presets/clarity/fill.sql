insert into clarity.clarity_ser values ('E7719', 'HARTSBOTTOM, GWENDOLARA', 'Physician', 'GHARTSBO', 'GH');
insert into clarity.clarity_ser_2 values ('E7719', '1629384756', '2010-01-01');
insert into clarity.clarity_emp values ('GHARTSBO', 'HARTSBOTTOM, GWENDOLARA', 'GHARTSBO', 'E7719');
insert into clarity.clarity_dep values (10010, 'LARKENMOOR PULMONOLOGY', 'Larkenmoor Pulmonology', 'Pulmonology', '617-482-0199');
insert into clarity.patient (pat_id, pat_name, pat_last_name, pat_first_name, pat_middle_name, pat_mrn_id, ssn, birth_date, sex_c, ethnic_group_c, pat_status_c,
	add_line_1, city, state_c, zip, home_phone, email_address, cur_pcp_prov_id, empy_name, rec_create_user_id)
	select 'Z' || mrn, upper(family || ',' || given || ' ' || left(middle, 1)), upper(family), upper(given), upper(middle), 'E' || mrn, ssn, born, sex, '1', 1,
		upper(street), upper(city), '21', zip, phone, email, 'E7719', 'QUILLFEATHER TANNERY', 'GHARTSBO' from people where n <= 10;
insert into clarity.identity_id select 'Z' || mrn, 1, mrn, 14 from people where n <= 10;
insert into clarity.patient_alias select 'Z' || mrn, 1, upper('Stonebarrow,' || given) from people where n <= 3;
insert into clarity.pat_address select 'Z' || mrn, 1, street from people where n <= 10;
insert into clarity.other_communctn select 'Z' || mrn, 1, '7', '857' || substr(phone, 4) from people where n <= 10;
insert into clarity.pat_relationships (pat_id, line, pat_rel_name, pat_rel_relation_c, pat_rel_home_phone)
	select 'Z' || mrn, 1, upper(split_part(kin, ' ', 2) || ',' || split_part(kin, ' ', 1)), '3', phone from people where n <= 10;
insert into clarity.pat_enc (pat_enc_csn_id, pat_id, pat_enc_date_real, contact_date, enc_type_c, visit_prov_id, department_id, hosp_admsn_time, hosp_dischrg_time,
	bp_systolic, hsp_account_id, inpatient_data_id)
	select 5000 + n, 'Z' || mrn, 67000 + n, '2024-03-01'::timestamp + n * interval '1 day', '3', 'E7719', 10010, '2024-03-01 08:00'::timestamp + n * interval '1 day',
		'2024-03-04 10:00'::timestamp + n * interval '1 day', 131, 900077192800 + n, '77' || n from people where n <= 10;
insert into clarity.pat_enc_dx (pat_enc_csn_id, line, pat_id, contact_date, dx_id, primary_dx_yn, comments)
	select 5000 + n, 1, 'Z' || mrn, '2024-03-01'::timestamp + n * interval '1 day', 1040, 'Y', 'as ' || kin || ' says' from people where n <= 10;
insert into clarity.problem_list (problem_list_id, pat_id, dx_id, description, noted_date, problem_cmt, problem_status_c, entry_user_id)
	select n, 'Z' || mrn, 1040, 'Cough', '2024-02-01', 'lives with ' || kin, 1, 'GHARTSBO' from people where n <= 10;
insert into clarity.order_proc (order_proc_id, pat_id, pat_enc_csn_id, ordering_date, order_type_c, proc_id, description, order_status_c, authrzing_prov_id)
	select 300 + n, 'Z' || mrn, 5000 + n, '2024-03-02', 7, 88, 'POTASSIUM', 5, 'E7719' from people where n <= 10;
insert into clarity.order_results (order_proc_id, line, pat_id, pat_enc_csn_id, result_date, component_id, ord_value, ord_num_value, reference_unit, component_comment)
	select 300 + n, 1, 'Z' || mrn, 5000 + n, '2024-03-02 12:00', 1520, '4.1', 4.1, 'mmol/L', 'called to ' || kin || ' at ' || phone from people where n <= 10;
insert into clarity.hno_info (note_id, pat_id, pat_enc_csn_id, ip_note_type_c, note_desc, create_instant_dttm, current_author_id)
	select '88' || n, 'Z' || mrn, 5000 + n, '1', 'Progress note of ' || family, '2024-03-02 09:00', 'GHARTSBO' from people where n <= 10;
-- Lines of notes end where the 40th character is, within names and numbers too.
insert into clarity.hno_note_text (note_csn_id, line, note_id, contact_date, note_text)
	select 70000 + n, l, '88' || n, '2024-03-02', substr(says || ' Signed by GWENDOLARA HARTSBOTTOM, MD, Larkenmoor Pulmonology.', 40 * l - 39, 40)
	from people, generate_series(1, 8) l where n <= 10 and length(says || ' Signed by GWENDOLARA HARTSBOTTOM, MD, Larkenmoor Pulmonology.') > 40 * (l - 1);
