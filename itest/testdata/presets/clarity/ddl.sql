-- Clarity, as its columns come to PostgreSQL: a few of the many that each table has.
create schema clarity;
create table clarity.clarity_ser (prov_id varchar(18) primary key, prov_name varchar(200), prov_type varchar(66), user_id varchar(18), prov_abbr varchar(20));
create table clarity.clarity_ser_2 (prov_id varchar(18) primary key, npi varchar(254), instant_of_entry_dttm timestamp);
create table clarity.clarity_emp (user_id varchar(18) primary key, name varchar(160), system_login varchar(254), prov_id varchar(18));
create table clarity.clarity_dep (department_id bigint primary key, department_name varchar(254), external_name varchar(192), specialty varchar(50), phone_number varchar(254));
create table clarity.patient (
	pat_id varchar(18) primary key, pat_name varchar(200), pat_last_name varchar(200), pat_first_name varchar(200), pat_middle_name varchar(200),
	pat_mrn_id varchar(102), ssn varchar(102), birth_date timestamp, death_date timestamp, sex_c varchar(66), ethnic_group_c varchar(66), marital_status_c varchar(66),
	language_c varchar(66), pat_status_c integer, add_line_1 varchar(254), add_line_2 varchar(254), city varchar(50), state_c varchar(66), zip varchar(60),
	home_phone varchar(254), work_phone varchar(254), email_address varchar(254), cur_pcp_prov_id varchar(18) references clarity.clarity_ser, empy_name varchar(254),
	rec_create_user_id varchar(18));
create table clarity.identity_id (pat_id varchar(18), line integer, identity_id varchar(254), identity_type_id bigint, primary key (pat_id, line));
create table clarity.patient_alias (pat_id varchar(18), line integer, alias varchar(160), primary key (pat_id, line));
create table clarity.pat_address (pat_id varchar(18), line integer, address varchar(254), primary key (pat_id, line));
create table clarity.other_communctn (pat_id varchar(18), line integer, other_communic_c varchar(66), other_communic_num varchar(254), primary key (pat_id, line));
create table clarity.pat_relationships (
	pat_id varchar(18), line integer, pat_rel_name varchar(254), pat_rel_relation_c varchar(66), pat_rel_home_phone varchar(254), pat_rel_mobile_phne varchar(254),
	pat_rel_work_phone varchar(254), primary key (pat_id, line));
create table clarity.pat_enc (
	pat_enc_csn_id bigint primary key, pat_id varchar(18) references clarity.patient, pat_enc_date_real double precision, contact_date timestamp, enc_type_c varchar(66),
	visit_prov_id varchar(18), department_id bigint references clarity.clarity_dep, appt_status_c integer, hosp_admsn_time timestamp, hosp_dischrg_time timestamp,
	bp_systolic integer, bp_diastolic integer, pulse integer, weight varchar(66), bmi numeric(18,2), hsp_account_id bigint, inpatient_data_id varchar(18));
create table clarity.pat_enc_dx (
	pat_enc_csn_id bigint references clarity.pat_enc, line integer, pat_id varchar(18), pat_enc_date_real double precision, contact_date timestamp, dx_id bigint,
	primary_dx_yn varchar(1), annotation varchar(254), comments varchar(254), primary key (pat_enc_csn_id, line));
create table clarity.problem_list (
	problem_list_id bigint primary key, pat_id varchar(18) references clarity.patient, dx_id bigint, description varchar(254), noted_date timestamp,
	resolved_date timestamp, problem_cmt varchar(254), problem_status_c integer, chronic_yn varchar(1), entry_user_id varchar(18));
create table clarity.order_proc (
	order_proc_id bigint primary key, pat_id varchar(18) references clarity.patient, pat_enc_csn_id bigint, ordering_date timestamp, order_type_c integer, proc_id bigint,
	description varchar(254), order_status_c integer, authrzing_prov_id varchar(18), display_name varchar(254));
create table clarity.order_results (
	order_proc_id bigint, line integer, pat_id varchar(18), pat_enc_csn_id bigint, result_date timestamp, component_id bigint, ord_value varchar(254),
	ord_num_value double precision, reference_low varchar(50), reference_high varchar(50), reference_unit varchar(100), result_flag_c integer,
	component_comment varchar(4000), primary key (order_proc_id, line));
create table clarity.hno_info (
	note_id varchar(18) primary key, pat_id varchar(18) references clarity.patient, pat_enc_csn_id bigint, ip_note_type_c varchar(66), note_desc varchar(254),
	create_instant_dttm timestamp, current_author_id varchar(18));
create table clarity.hno_note_text (
	note_csn_id bigint, line integer, note_id varchar(18) references clarity.hno_info, contact_date_real double precision, contact_date timestamp, note_text text,
	primary key (note_csn_id, line));
