-- Tables of the i2b2 star schema 1.7 as its PostgreSQL scripts make them.
create schema i2b2demodata;
create table i2b2demodata.patient_dimension (
	patient_num int, vital_status_cd varchar(50), birth_date timestamp, death_date timestamp, sex_cd varchar(50), age_in_years_num int, language_cd varchar(50),
	race_cd varchar(50), marital_status_cd varchar(50), religion_cd varchar(50), zip_cd varchar(10), statecityzip_path varchar(700), income_cd varchar(50),
	patient_blob text, update_date timestamp, download_date timestamp, import_date timestamp, sourcesystem_cd varchar(50), upload_id int,
	constraint patient_dimension_pk primary key (patient_num));
create table i2b2demodata.patient_mapping (
	patient_ide varchar(200) not null, patient_ide_source varchar(50) not null, patient_num int not null, patient_ide_status varchar(50), project_id varchar(50) not null,
	upload_date timestamp, update_date timestamp, download_date timestamp, import_date timestamp, sourcesystem_cd varchar(50), upload_id int,
	constraint patient_mapping_pk primary key (patient_ide, patient_ide_source, project_id));
create table i2b2demodata.visit_dimension (
	encounter_num int not null, patient_num int not null, active_status_cd varchar(50), start_date timestamp, end_date timestamp, inout_cd varchar(50),
	location_cd varchar(50), location_path varchar(900), length_of_stay int, visit_blob text, update_date timestamp, download_date timestamp,
	import_date timestamp, sourcesystem_cd varchar(50), upload_id int, constraint visit_dimension_pk primary key (encounter_num, patient_num));
create table i2b2demodata.provider_dimension (
	provider_id varchar(50) not null, provider_path varchar(700) not null, name_char varchar(850), provider_blob text, update_date timestamp, download_date timestamp,
	import_date timestamp, sourcesystem_cd varchar(50), upload_id int, constraint provider_dimension_pk primary key (provider_path, provider_id));
create table i2b2demodata.concept_dimension (
	concept_path varchar(700) not null, concept_cd varchar(50), name_char varchar(2000), concept_blob text, update_date timestamp, download_date timestamp,
	import_date timestamp, sourcesystem_cd varchar(50), upload_id int, constraint concept_dimension_pk primary key (concept_path));
create table i2b2demodata.observation_fact (
	encounter_num int not null, patient_num int not null, concept_cd varchar(50) not null, provider_id varchar(50) not null, start_date timestamp not null,
	modifier_cd varchar(100) not null default '@', instance_num int not null default 1, valtype_cd varchar(50), tval_char varchar(255), nval_num decimal(18,5),
	valueflag_cd varchar(50), quantity_num decimal(18,5), units_cd varchar(50), end_date timestamp, location_cd varchar(50), observation_blob text,
	confidence_num decimal(18,5), update_date timestamp, download_date timestamp, import_date timestamp, sourcesystem_cd varchar(50), upload_id int,
	text_search_index serial, constraint observation_fact_pk primary key (patient_num, concept_cd, modifier_cd, start_date, encounter_num, instance_num, provider_id));

insert into i2b2demodata.patient_dimension (patient_num, vital_status_cd, birth_date, sex_cd, age_in_years_num, zip_cd, statecityzip_path, patient_blob) values
	(1000000001, 'N', '1931-07-14', 'F', 91, '02139', 'Zip codes\Massachusetts\Brackwater\02139\', 'Contact Dr. Vandermolen at 617-482-0147.'),
	(1000000002, 'N', '1980-02-03', 'M', 41, '02139', null, null);
insert into i2b2demodata.patient_mapping (patient_ide, patient_ide_source, patient_num, project_id) values ('MRN7719283', 'EMR', 1000000001, 'Demo');
insert into i2b2demodata.visit_dimension (encounter_num, patient_num, start_date, end_date, inout_cd, length_of_stay) values (914471185, 1000000001, '2021-03-01 08:00', '2021-03-05', 'I', 4);
insert into i2b2demodata.provider_dimension (provider_id, provider_path, name_char) values ('LCS-I2B2:D000109064', '\i2b2\Providers\Medicine\Vandermolen, Hesper\', 'Vandermolen, Hesper, MD');
insert into i2b2demodata.concept_dimension (concept_path, concept_cd, name_char) values ('\i2b2\Notes\Discharge\', 'NOTE:DS', 'Discharge summary');
insert into i2b2demodata.observation_fact (encounter_num, patient_num, concept_cd, provider_id, start_date, valtype_cd, tval_char, observation_blob) values
	(914471185, 1000000001, 'NOTE:DS', 'LCS-I2B2:D000109064', '2021-03-05', 'B', null, 'MRN7719283, born 7/14/1931, was seen by Dr. Vandermolen on 3/5/2021. Patient name: Oriel Wexcombe.'),
	(914471185, 1000000002, 'NOTE:DS', 'LCS-I2B2:D000109064', '2021-03-05', 'B', null, 'He was well.');
insert into i2b2demodata.observation_fact (encounter_num, patient_num, concept_cd, provider_id, start_date, valtype_cd, tval_char, nval_num) values
	(914471185, 1000000001, 'LOINC:2160-0', '@', '2021-03-02', 'N', 'E', 1.10000);
