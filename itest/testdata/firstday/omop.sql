-- Tables of the OMOP Common Data Model 5.4 as its PostgreSQL scripts make them: columns first, keys later, death without any.
create schema omop;
create table omop.person (
	person_id integer not null, gender_concept_id integer not null, year_of_birth integer not null, month_of_birth integer,
	day_of_birth integer, birth_datetime timestamp, race_concept_id integer not null, ethnicity_concept_id integer not null,
	location_id integer, provider_id integer, care_site_id integer, person_source_value varchar(50), gender_source_value varchar(50),
	gender_source_concept_id integer, race_source_value varchar(50), race_source_concept_id integer,
	ethnicity_source_value varchar(50), ethnicity_source_concept_id integer);
create table omop.location (
	location_id integer not null, address_1 varchar(50), address_2 varchar(50), city varchar(50), state varchar(2), zip varchar(9),
	county varchar(20), location_source_value varchar(50), country_concept_id integer, country_source_value varchar(80),
	latitude numeric, longitude numeric);
create table omop.provider (
	provider_id integer not null, provider_name varchar(255), npi varchar(20), dea varchar(20), specialty_concept_id integer,
	care_site_id integer, year_of_birth integer, gender_concept_id integer, provider_source_value varchar(50),
	specialty_source_value varchar(50), specialty_source_concept_id integer, gender_source_value varchar(50), gender_source_concept_id integer);
create table omop.care_site (
	care_site_id integer not null, care_site_name varchar(255), place_of_service_concept_id integer, location_id integer,
	care_site_source_value varchar(50), place_of_service_source_value varchar(50));
create table omop.observation_period (
	observation_period_id integer not null, person_id integer not null, observation_period_start_date date not null,
	observation_period_end_date date not null, period_type_concept_id integer not null);
create table omop.visit_occurrence (
	visit_occurrence_id integer not null, person_id integer not null, visit_concept_id integer not null, visit_start_date date not null,
	visit_start_datetime timestamp, visit_end_date date not null, visit_end_datetime timestamp, visit_type_concept_id integer not null,
	provider_id integer, care_site_id integer, visit_source_value varchar(50), visit_source_concept_id integer,
	admitted_from_concept_id integer, admitted_from_source_value varchar(50), discharged_to_concept_id integer,
	discharged_to_source_value varchar(50), preceding_visit_occurrence_id integer);
create table omop.visit_detail (
	visit_detail_id integer not null, person_id integer not null, visit_detail_concept_id integer not null, visit_detail_start_date date not null,
	visit_detail_start_datetime timestamp, visit_detail_end_date date not null, visit_detail_end_datetime timestamp,
	visit_detail_type_concept_id integer not null, provider_id integer, care_site_id integer, visit_detail_source_value varchar(50),
	visit_detail_source_concept_id integer, admitted_from_concept_id integer, admitted_from_source_value varchar(50),
	discharged_to_source_value varchar(50), discharged_to_concept_id integer, preceding_visit_detail_id integer,
	parent_visit_detail_id integer, visit_occurrence_id integer not null);
create table omop.note (
	note_id integer not null, person_id integer not null, note_date date not null, note_datetime timestamp, note_type_concept_id integer not null,
	note_class_concept_id integer not null, note_title varchar(250), note_text text not null, encoding_concept_id integer not null,
	language_concept_id integer not null, provider_id integer, visit_occurrence_id integer, visit_detail_id integer,
	note_source_value varchar(50), note_event_id integer, note_event_field_concept_id integer);
create table omop.note_nlp (
	note_nlp_id integer not null, note_id integer not null, section_concept_id integer, snippet varchar(250), "offset" varchar(50),
	lexical_variant varchar(250) not null, note_nlp_concept_id integer, note_nlp_source_concept_id integer, nlp_system varchar(250),
	nlp_date date not null, nlp_datetime timestamp, term_exists varchar(1), term_temporal varchar(50), term_modifiers varchar(2000));
create table omop.condition_occurrence (
	condition_occurrence_id integer not null, person_id integer not null, condition_concept_id integer not null, condition_start_date date not null,
	condition_start_datetime timestamp, condition_end_date date, condition_end_datetime timestamp, condition_type_concept_id integer not null,
	condition_status_concept_id integer, stop_reason varchar(20), provider_id integer, visit_occurrence_id integer, visit_detail_id integer,
	condition_source_value varchar(50), condition_source_concept_id integer, condition_status_source_value varchar(50));
create table omop.drug_exposure (
	drug_exposure_id integer not null, person_id integer not null, drug_concept_id integer not null, drug_exposure_start_date date not null,
	drug_exposure_start_datetime timestamp, drug_exposure_end_date date not null, drug_exposure_end_datetime timestamp, verbatim_end_date date,
	drug_type_concept_id integer not null, stop_reason varchar(20), refills integer, quantity numeric, days_supply integer, sig text,
	route_concept_id integer, lot_number varchar(50), provider_id integer, visit_occurrence_id integer, visit_detail_id integer,
	drug_source_value varchar(50), drug_source_concept_id integer, route_source_value varchar(50), dose_unit_source_value varchar(50));
create table omop.procedure_occurrence (
	procedure_occurrence_id integer not null, person_id integer not null, procedure_concept_id integer not null, procedure_date date not null,
	procedure_datetime timestamp, procedure_end_date date, procedure_end_datetime timestamp, procedure_type_concept_id integer not null,
	modifier_concept_id integer, quantity integer, provider_id integer, visit_occurrence_id integer, visit_detail_id integer,
	procedure_source_value varchar(50), procedure_source_concept_id integer, modifier_source_value varchar(50));
create table omop.device_exposure (
	device_exposure_id integer not null, person_id integer not null, device_concept_id integer not null, device_exposure_start_date date not null,
	device_exposure_start_datetime timestamp, device_exposure_end_date date, device_exposure_end_datetime timestamp,
	device_type_concept_id integer not null, unique_device_id varchar(255), production_id varchar(255), quantity integer, provider_id integer,
	visit_occurrence_id integer, visit_detail_id integer, device_source_value varchar(50), device_source_concept_id integer,
	unit_concept_id integer, unit_source_value varchar(50), unit_source_concept_id integer);
create table omop.measurement (
	measurement_id integer not null, person_id integer not null, measurement_concept_id integer not null, measurement_date date not null,
	measurement_datetime timestamp, measurement_time varchar(10), measurement_type_concept_id integer not null, operator_concept_id integer,
	value_as_number numeric, value_as_concept_id integer, unit_concept_id integer, range_low numeric, range_high numeric, provider_id integer,
	visit_occurrence_id integer, visit_detail_id integer, measurement_source_value varchar(50), measurement_source_concept_id integer,
	unit_source_value varchar(50), unit_source_concept_id integer, value_source_value varchar(50), measurement_event_id integer,
	meas_event_field_concept_id integer);
create table omop.observation (
	observation_id integer not null, person_id integer not null, observation_concept_id integer not null, observation_date date not null,
	observation_datetime timestamp, observation_type_concept_id integer not null, value_as_number numeric, value_as_string varchar(60),
	value_as_concept_id integer, qualifier_concept_id integer, unit_concept_id integer, provider_id integer, visit_occurrence_id integer,
	visit_detail_id integer, observation_source_value varchar(50), observation_source_concept_id integer, unit_source_value varchar(50),
	qualifier_source_value varchar(50), value_source_value varchar(50), observation_event_id integer, obs_event_field_concept_id integer);
create table omop.death (
	person_id integer not null, death_date date not null, death_datetime timestamp, death_type_concept_id integer, cause_concept_id integer,
	cause_source_value varchar(50), cause_source_concept_id integer);
alter table omop.person add constraint xpk_person primary key (person_id);
alter table omop.location add constraint xpk_location primary key (location_id);
alter table omop.provider add constraint xpk_provider primary key (provider_id);
alter table omop.care_site add constraint xpk_care_site primary key (care_site_id);
alter table omop.observation_period add constraint xpk_observation_period primary key (observation_period_id);
alter table omop.visit_occurrence add constraint xpk_visit_occurrence primary key (visit_occurrence_id);
alter table omop.visit_detail add constraint xpk_visit_detail primary key (visit_detail_id);
alter table omop.note add constraint xpk_note primary key (note_id);
alter table omop.note_nlp add constraint xpk_note_nlp primary key (note_nlp_id);
alter table omop.condition_occurrence add constraint xpk_condition_occurrence primary key (condition_occurrence_id);
alter table omop.drug_exposure add constraint xpk_drug_exposure primary key (drug_exposure_id);
alter table omop.procedure_occurrence add constraint xpk_procedure_occurrence primary key (procedure_occurrence_id);
alter table omop.device_exposure add constraint xpk_device_exposure primary key (device_exposure_id);
alter table omop.measurement add constraint xpk_measurement primary key (measurement_id);
alter table omop.observation add constraint xpk_observation primary key (observation_id);
alter table omop.person add constraint fpk_person_location_id foreign key (location_id) references omop.location (location_id);
alter table omop.care_site add constraint fpk_care_site_location_id foreign key (location_id) references omop.location (location_id);

-- 1 and 2 share a home; 3 is where the clinic stands and nobody lives.
insert into omop.location values
	(1, '4711 Wexcombe Hollow Rd', 'Apt 9X', 'Brackwater', 'MA', '021391234', 'Middlesex', 'LOCSRC-1', null, null, 42.3736, -71.1097),
	(3, '88 Thornhythe Plaza', null, 'Brackwater', 'MA', '02139', 'Middlesex', 'LOCSRC-3', null, null, null, null);
insert into omop.care_site values (30, 'Larkenmoor Regional Hospital', 8717, 3, 'SITESRC-30', null);
insert into omop.provider values (20, 'Hesper Vandermolen', '1629384756', 'BV4417723', 38004446, 30, 1966, 8532, 'hvandermo', null, null, null, null);
insert into omop.person values
	(1, 8532, 1931, 7, 14, '1931-07-14', 8527, 38003564, 1, 20, 30, 'MRN7719283', 'F', null, 'white', null, null, null),
	(2, 8507, 1958, 2, 3, '1958-02-03', 8527, 38003564, 1, 20, 30, 'MRN7719284', 'M', null, 'white', null, null, null),
	(3, 8507, 1988, 2, 3, null, 8527, 38003564, null, null, null, null, null, null, null, null, null, null);
insert into omop.observation_period values (1, 1, '2019-01-01', '2021-12-31', 44814724);
insert into omop.visit_occurrence values
	(100, 1, 9201, '2021-03-01', '2021-03-01 08:00', '2021-03-05', '2021-03-05 12:00', 44818518, 20, 30, 'V1', null, null, null, null, null, null),
	(101, 1, 9202, '2021-03-20', null, '2021-03-20', null, 44818518, 20, 30, null, null, null, null, null, null, 100);
insert into omop.visit_detail values (500, 1, 9201, '2021-03-01', null, '2021-03-02', null, 44818518, 20, 30, null, null, null, null, null, null, null, null, 100);
insert into omop.note values
	(1000, 1, '2021-03-02', '2021-03-02 09:30', 44814637, 44814638, 'Discharge summary MRN7719283 03/02/2021',
	 'MRN7719283, born July 14, 1931, seen by Dr. Vandermolen at Larkenmoor Regional Hospital on 03/02/2021. Lives at 4711 Wexcombe Hollow Rd, Brackwater, MA 02139. BP 131/82.',
	 32678, 4180186, 20, 100, 500, 'NOTESRC-1', null, null),
	(1001, 2, '2021-03-03', null, 44814637, 44814638, null, 'His mother is an inpatient. DOB: 02/03/1958. Lives on Wexcombe Hollow Rd. Paged hvandermo.', 32678, 4180186, 20, null, null, null, null, null),
	(1002, 3, '2021-03-04', null, 44814637, 44814638, '', 'No complaints.', 32678, 4180186, null, null, null, null, null, null);
insert into omop.note_nlp values (1, 1000, null, 'seen by Dr. Vandermolen', '40', 'Vandermolen', null, null, null, '2021-03-09', null, null, null, null);
insert into omop.condition_occurrence values (1, 1, 316866, '2021-03-01', null, null, null, 32817, null, null, 20, 100, null, 'I10', null, null);
insert into omop.drug_exposure values (1, 1, 1308216, '2021-03-01', null, '2021-03-05', null, null, 32817, null, 0, 30, 30, 'call 617-482-0147 before refill', null, null, 20, 100, null, null, null, null, null);
insert into omop.procedure_occurrence values (1, 1, 4032404, '2021-03-02', null, null, null, 32817, null, null, 20, 100, null, null, null, null);
insert into omop.device_exposure values (1, 1, 4030875, '2021-03-02', null, null, null, 32817, 'UDI-88ZQ40017', null, 1, 20, 100, null, null, null, null, null, null);
insert into omop.measurement values (1, 1, 3004249, '2021-03-02', null, null, 32817, null, 131, null, 8876, null, null, 20, 100, null, null, null, null, null, '131', null, null);
insert into omop.observation values (1, 1, 4005823, '2021-03-02', null, 32817, null, 'Contact: Dr. Vandermolen', null, null, null, 20, 100, null, null, null, null, null, null, null, null);
insert into omop.death values (1, '2021-06-01', null, null, null, null, null);
