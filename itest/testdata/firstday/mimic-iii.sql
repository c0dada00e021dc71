-- Tables of MIMIC-III 1.4 as its PostgreSQL scripts make them, with rows as a hospital would have them.
create schema mimiciii;
create table mimiciii.patients (
	row_id int not null, subject_id int not null, gender varchar(5) not null, dob timestamp(0) not null, dod timestamp(0), dod_hosp timestamp(0),
	dod_ssn timestamp(0), expire_flag int not null, constraint pat_subid_unique unique (subject_id), constraint pat_rowid_pk primary key (row_id));
create table mimiciii.admissions (
	row_id int not null, subject_id int not null, hadm_id int not null, admittime timestamp(0) not null, dischtime timestamp(0) not null,
	deathtime timestamp(0), admission_type varchar(50) not null, admission_location varchar(50) not null, discharge_location varchar(50) not null,
	insurance varchar(255) not null, language varchar(10), religion varchar(50), marital_status varchar(50), ethnicity varchar(200) not null,
	edregtime timestamp(0), edouttime timestamp(0), diagnosis varchar(255), hospital_expire_flag smallint, has_chartevents_data smallint not null,
	constraint adm_rowid_pk primary key (row_id), constraint adm_hadm_unique unique (hadm_id));
create table mimiciii.icustays (
	row_id int not null, subject_id int not null, hadm_id int not null, icustay_id int not null, dbsource varchar(20) not null,
	first_careunit varchar(20) not null, last_careunit varchar(20) not null, first_wardid smallint not null, last_wardid smallint not null,
	intime timestamp(0) not null, outtime timestamp(0), los double precision, constraint icustay_rowid_pk primary key (row_id));
create table mimiciii.noteevents (
	row_id int not null, subject_id int not null, hadm_id int, chartdate timestamp(0), charttime timestamp(0), storetime timestamp(0),
	category varchar(50), description varchar(255), cgid int, iserror char(1), text text, constraint noteevents_rowid_pk primary key (row_id));
create table mimiciii.caregivers (
	row_id int not null, cgid int not null, label varchar(15), description varchar(30), constraint cg_rowid_pk primary key (row_id));
create table mimiciii.diagnoses_icd (
	row_id int not null, subject_id int not null, hadm_id int not null, seq_num int, icd9_code varchar(10), constraint diagnosesicd_rowid_pk primary key (row_id));
create table mimiciii.procedures_icd (
	row_id int not null, subject_id int not null, hadm_id int not null, seq_num int not null, icd9_code varchar(10) not null,
	constraint proceduresicd_rowid_pk primary key (row_id));
create table mimiciii.services (
	row_id int not null, subject_id int not null, hadm_id int not null, transfertime timestamp(0) not null, prev_service varchar(20),
	curr_service varchar(20), constraint services_rowid_pk primary key (row_id));
create table mimiciii.labevents (
	row_id int not null, subject_id int not null, hadm_id int, itemid int not null, charttime timestamp(0), value varchar(200),
	valuenum double precision, valueuom varchar(20), flag varchar(20), constraint labevents_rowid_pk primary key (row_id));
create table mimiciii.prescriptions (
	row_id int not null, subject_id int not null, hadm_id int not null, icustay_id int, startdate timestamp(0), enddate timestamp(0),
	drug_type varchar(100) not null, drug varchar(100) not null, drug_name_poe varchar(100), drug_name_generic varchar(100),
	formulary_drug_cd varchar(120), gsn varchar(200), ndc varchar(120), prod_strength varchar(120), dose_val_rx varchar(120),
	dose_unit_rx varchar(120), form_val_disp varchar(120), form_unit_disp varchar(120), route varchar(120), constraint prescription_rowid_pk primary key (row_id));

insert into mimiciii.patients values (1, 93810006, 'F', '1931-07-14', null, null, null, 0), (2, 93810011, 'M', '1975-11-30', '2021-03-09', '2021-03-09', null, 1);
insert into mimiciii.admissions values
	(1, 93810006, 914142345, '2021-03-01 08:00', '2021-03-05 12:00', null, 'EMERGENCY', 'EMERGENCY ROOM ADMIT', 'HOME', 'Medicare', 'ENGL', null, null, 'WHITE', null, null, 'SEPSIS', 0, 1);
insert into mimiciii.icustays values (1, 93810006, 914142345, 206504, 'carevue', 'MICU', 'MICU', 52, 52, '2021-03-01 09:00', '2021-03-02 09:00', 1.0);
insert into mimiciii.caregivers values (1, 17698, 'RN', 'RN');
insert into mimiciii.noteevents values
	(1, 93810006, 914142345, '2021-03-05', '2021-03-05 10:11', null, 'Discharge summary', 'Report', null, null,
	 E'Admission Date:  2021-3-1     Discharge Date:  2021-3-5\nDate of Birth:  1931-7-14      Sex:  F\nAttending: Hesper Vandermolen, M.D.\nPatient name: Oriel Wexcombe\nMRN: 77192834\nShe was in good health. Dictated By: Hesper Vandermolen, M.D.'),
	(2, 93810011, null, '2021-03-06', null, null, 'Nursing/other', 'Report', 17698, null, E'Pt seen by Dr. Vandermolen. Wife Mrs. Larkenmoor called from 617-482-0147.\n'),
	(3, 93810011, null, '2021-03-06', null, null, 'Radiology', 'CHEST (PORTABLE AP)', null, '1', null);
insert into mimiciii.diagnoses_icd values (1, 93810006, 914142345, 1, '99591');
insert into mimiciii.procedures_icd values (1, 93810006, 914142345, 1, '9749');
insert into mimiciii.services values (1, 93810006, 914142345, '2021-03-01 08:00', null, 'MED');
insert into mimiciii.labevents values (1, 93810006, 914142345, 50868, '2021-03-01 16:31', '17', 17, 'mEq/L', null);
insert into mimiciii.prescriptions values (1, 93810006, 914142345, null, '2021-03-01', '2021-03-02', 'MAIN', 'Aspirin', null, null, 'ASA81', '004380', '00536381001', '81 mg Tab', '81', 'mg', '1', 'TAB', 'PO');
