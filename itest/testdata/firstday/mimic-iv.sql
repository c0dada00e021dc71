-- Tables of MIMIC-IV 3.1 and MIMIC-IV-Note 2.2 as their PostgreSQL scripts make them, with rows as a hospital would have them.
create schema mimiciv_hosp; create schema mimiciv_icu; create schema mimiciv_note;
create table mimiciv_hosp.patients (
	subject_id integer not null, gender char(1) not null, anchor_age smallint, anchor_year smallint not null, anchor_year_group varchar(20) not null, dod date);
create table mimiciv_hosp.admissions (
	subject_id integer not null, hadm_id integer not null, admittime timestamp not null, dischtime timestamp, deathtime timestamp,
	admission_type varchar(40) not null, admit_provider_id varchar(10), admission_location varchar(60), discharge_location varchar(60),
	insurance varchar(255), language varchar(25), marital_status varchar(30), race varchar(80), edregtime timestamp, edouttime timestamp,
	hospital_expire_flag smallint);
create table mimiciv_hosp.diagnoses_icd (
	subject_id integer not null, hadm_id integer not null, seq_num integer not null, icd_code char(7), icd_version smallint);
create table mimiciv_hosp.procedures_icd (
	subject_id integer not null, hadm_id integer not null, seq_num integer not null, chartdate date not null, icd_code varchar(7), icd_version smallint);
create table mimiciv_hosp.labevents (
	labevent_id integer not null, subject_id integer not null, hadm_id integer, specimen_id integer not null, itemid integer not null,
	order_provider_id varchar(10), charttime timestamp(0), storetime timestamp(0), value varchar(200), valuenum double precision,
	valueuom varchar(20), ref_range_lower double precision, ref_range_upper double precision, flag varchar(10), priority varchar(7), comments text);
create table mimiciv_icu.icustays (
	subject_id integer not null, hadm_id integer not null, stay_id integer not null, first_careunit varchar(255), last_careunit varchar(255),
	intime timestamp, outtime timestamp, los float);
create table mimiciv_note.discharge (
	note_id varchar(25) not null, subject_id integer not null, hadm_id integer, note_type char(2), note_seq integer not null, charttime timestamp not null,
	storetime timestamp, text text not null);
create table mimiciv_note.discharge_detail (
	note_id varchar(25) not null, subject_id integer not null, field_name varchar(255) not null, field_value text not null, field_ordinal integer not null);
create table mimiciv_note.radiology (
	note_id varchar(25) not null, subject_id integer not null, hadm_id integer, note_type char(2), note_seq integer not null, charttime timestamp not null,
	storetime timestamp, text text not null);
alter table mimiciv_hosp.patients add constraint patients_pk primary key (subject_id);
alter table mimiciv_hosp.admissions add constraint admissions_pk primary key (hadm_id);
alter table mimiciv_hosp.diagnoses_icd add constraint diagnoses_icd_pk primary key (hadm_id, seq_num, icd_code, icd_version);
alter table mimiciv_hosp.procedures_icd add constraint procedures_icd_pk primary key (hadm_id, seq_num, icd_code, icd_version);
alter table mimiciv_hosp.labevents add constraint labevents_pk primary key (labevent_id);
alter table mimiciv_icu.icustays add constraint icustays_pk primary key (stay_id);
alter table mimiciv_note.discharge add constraint discharge_pk primary key (note_id);
alter table mimiciv_note.radiology add constraint radiology_pk primary key (note_id);

insert into mimiciv_hosp.patients values (10000032, 'F', 91, 2021, '2020 - 2022', '2021-09-09'), (10000048, 'M', 34, 2021, '2020 - 2022', null);
insert into mimiciv_hosp.admissions values
	(10000032, 22595853, '2021-03-01 08:00', '2021-03-05 12:00', null, 'URGENT', 'P49AFC', 'TRANSFER FROM HOSPITAL', 'HOME', 'Medicaid', 'English', 'WIDOWED', 'WHITE', null, null, 0);
insert into mimiciv_hosp.diagnoses_icd values (10000032, 22595853, 1, '5723', 9);
insert into mimiciv_hosp.procedures_icd values (10000032, 22595853, 1, '2021-03-02', '5491', 9);
insert into mimiciv_hosp.labevents values (1, 10000032, 22595853, 45421181, 51237, 'P49AFC', '2021-03-01 08:15', '2021-03-01 09:00', '1.4', 1.4, null, 0.9, 1.1, 'abnormal', 'ROUTINE', 'Reported to Dr. Vandermolen 3/1/2021.');
insert into mimiciv_icu.icustays values (10000032, 22595853, 39553978, 'MICU', 'MICU', '2021-03-01 09:00', '2021-03-02 09:00', 1.0);
insert into mimiciv_note.discharge values ('10000032-DS-21', 10000032, 22595853, 'DS', 21, '2021-03-05 00:00', '2021-03-06 10:00',
	E' \nName:  Oriel Wexcombe                 Unit No:   77192834\n \nAdmission Date:  3/1/2021              Discharge Date:   3/5/2021\n \nDate of Birth:  7/14/1931             Sex:   F\n \nService: MEDICINE\n \nAttending: Hesper Vandermolen, MD\n');
insert into mimiciv_note.discharge_detail values ('10000032-DS-21', 10000032, 'author', 'Vandermolen', 1);
insert into mimiciv_note.radiology values ('10000048-RR-14', 10000048, null, 'RR', 14, '2021-03-04 10:00', null, E'EXAMINATION:  CHEST (PA AND LAT)\n\nNOTIFICATION: Findings were discussed with Dr. Vandermolen by telephone at 617-482-0147 on 3/4/2021.\n');
