-- OpenMRS 2, as its columns come to PostgreSQL. Columns that no replica reads (who changed what when) are a few of many.
create schema openmrs;
create table openmrs.person (
	person_id integer primary key, gender varchar(50), birthdate date, birthdate_estimated boolean not null default false, birthtime time,
	dead boolean not null default false, death_date timestamp, deathdate_estimated boolean, cause_of_death integer, cause_of_death_non_coded varchar(255),
	creator integer, date_created timestamp, voided boolean not null default false, void_reason varchar(255), uuid char(38) not null unique);
create table openmrs.person_name (
	person_name_id integer primary key, preferred boolean not null default false, person_id integer not null references openmrs.person, prefix varchar(50),
	given_name varchar(50), middle_name varchar(50), family_name_prefix varchar(50), family_name varchar(50), family_name2 varchar(50),
	family_name_suffix varchar(50), degree varchar(50), date_created timestamp, voided boolean not null default false, uuid char(38) not null unique);
create table openmrs.person_address (
	person_address_id integer primary key, person_id integer references openmrs.person, preferred boolean not null default false, address1 varchar(255),
	address2 varchar(255), address3 varchar(255), address4 varchar(255), address5 varchar(255), address6 varchar(255), city_village varchar(255),
	county_district varchar(255), state_province varchar(255), postal_code varchar(50), country varchar(50), latitude varchar(50), longitude varchar(50),
	start_date timestamp, end_date timestamp, voided boolean not null default false, uuid char(38) not null unique);
create table openmrs.person_attribute_type (person_attribute_type_id integer primary key, name varchar(50) not null, format varchar(50));
create table openmrs.person_attribute (
	person_attribute_id integer primary key, person_id integer not null references openmrs.person, value varchar(50) not null default '',
	person_attribute_type_id integer not null references openmrs.person_attribute_type, voided boolean not null default false, uuid char(38) not null unique);
create table openmrs.patient (
	patient_id integer primary key references openmrs.person, creator integer, date_created timestamp, voided boolean not null default false, allergy_status varchar(50));
create table openmrs.patient_identifier (
	patient_identifier_id integer primary key, patient_id integer not null references openmrs.patient, identifier varchar(50) not null default '',
	identifier_type integer not null, preferred boolean not null default false, location_id integer, voided boolean not null default false, uuid char(38) not null unique);
create table openmrs.location (
	location_id integer primary key, name varchar(255) not null, description varchar(255), address1 varchar(255), city_village varchar(255),
	postal_code varchar(50), parent_location integer references openmrs.location, retired boolean not null default false, uuid char(38) not null unique);
create table openmrs.visit (
	visit_id integer primary key, patient_id integer not null references openmrs.patient, visit_type_id integer not null, date_started timestamp not null,
	date_stopped timestamp, indication_concept_id integer, location_id integer references openmrs.location, voided boolean not null default false, uuid char(38) not null unique);
create table openmrs.encounter (
	encounter_id integer primary key, encounter_type integer not null, patient_id integer not null references openmrs.patient,
	location_id integer references openmrs.location, form_id integer, encounter_datetime timestamp not null, visit_id integer references openmrs.visit,
	voided boolean not null default false, uuid char(38) not null unique);
create table openmrs.obs (
	obs_id integer primary key, person_id integer not null references openmrs.person, concept_id integer not null, encounter_id integer references openmrs.encounter,
	order_id integer, obs_datetime timestamp not null, location_id integer references openmrs.location, obs_group_id integer references openmrs.obs,
	accession_number varchar(255), value_group_id integer, value_coded integer, value_coded_name_id integer, value_drug integer, value_datetime timestamp,
	value_numeric double precision, value_modifier varchar(2), value_text text, value_complex varchar(1000), comments varchar(255),
	previous_version integer references openmrs.obs, form_namespace_and_path varchar(255), status varchar(16) not null default 'FINAL', interpretation varchar(32),
	voided boolean not null default false, uuid char(38) not null unique);
create table openmrs.conditions (
	condition_id integer primary key, patient_id integer not null references openmrs.patient, encounter_id integer references openmrs.encounter,
	condition_coded integer, condition_non_coded varchar(255), condition_coded_name integer, clinical_status varchar(50), verification_status varchar(50),
	onset_date timestamp, end_date timestamp, additional_detail varchar(255), end_reason varchar(255), voided boolean not null default false, uuid char(38) not null unique);
create table openmrs.provider (
	provider_id integer primary key, person_id integer references openmrs.person, name varchar(255), identifier varchar(255), retired boolean not null default false,
	uuid char(38) not null unique);
create table openmrs.orders (
	order_id integer primary key, order_type_id integer not null, concept_id integer not null, orderer integer not null references openmrs.provider,
	encounter_id integer not null references openmrs.encounter, patient_id integer not null references openmrs.patient, instructions text,
	date_activated timestamp, auto_expire_date timestamp, date_stopped timestamp, order_reason integer, order_reason_non_coded varchar(255),
	accession_number varchar(255), urgency varchar(50) not null default 'ROUTINE', order_number varchar(50) not null, previous_order_id integer,
	order_action varchar(50) not null, comment_to_fulfiller varchar(1024), voided boolean not null default false, uuid char(38) not null unique);
create table openmrs.encounter_provider (
	encounter_provider_id integer primary key, encounter_id integer not null references openmrs.encounter, provider_id integer not null references openmrs.provider,
	encounter_role_id integer not null, voided boolean not null default false, uuid char(38) not null unique);
create table openmrs.users (
	user_id integer primary key, system_id varchar(50) not null, username varchar(50), password varchar(128), email varchar(255),
	person_id integer not null references openmrs.person, retired boolean not null default false, uuid char(38) not null unique);
