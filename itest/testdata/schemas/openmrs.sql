-- After OpenMRS 2's published data model: entities with audit columns, observations as rows, names and identifiers apart.
create table person ( -- patient: person_id
	person_id integer primary key, -- pseudonym
	gender varchar(50), -- keep
	birthdate date, -- year|date_shift birth_date
	birthdate_estimated boolean, -- keep
	dead boolean, -- keep
	death_date timestamp, -- date_shift
	cause_of_death integer, -- keep|drop
	creator integer, -- pseudonym|drop
	date_created timestamp, -- date_shift|drop
	changed_by integer, -- pseudonym|drop
	voided boolean, -- keep|drop
	void_reason varchar(255), -- text|drop
	uuid char(38) -- drop
);
create table person_name ( -- patient: person_id
	person_name_id integer primary key, -- pseudonym
	preferred boolean, -- keep|drop
	person_id integer references person, -- pseudonym
	prefix varchar(50), -- drop|keep
	given_name varchar(50), -- surrogate|drop name.first
	middle_name varchar(50), -- surrogate|drop name.middle
	family_name_prefix varchar(50), -- drop
	family_name varchar(50), -- surrogate|drop name.last
	family_name2 varchar(50), -- surrogate|drop name.last|name.alias
	family_name_suffix varchar(50), -- drop
	degree varchar(50), -- drop
	date_created timestamp, -- date_shift|drop
	uuid char(38) -- drop
);
create table person_address ( -- patient: person_id
	person_address_id integer primary key, -- pseudonym
	person_id integer references person, -- pseudonym
	address1 varchar(255), -- drop|surrogate street
	address2 varchar(255), -- drop|surrogate street
	city_village varchar(255), -- drop|surrogate city
	state_province varchar(255), -- drop|surrogate|keep state
	postal_code varchar(50), -- zip3|drop zip
	country varchar(50), -- keep|drop|surrogate country
	latitude varchar(50), -- drop
	longitude varchar(50), -- drop
	county_district varchar(255), -- drop
	start_date timestamp -- date_shift|drop
);
create table patient_identifier ( -- patient: patient_id
	patient_identifier_id integer primary key, -- pseudonym
	patient_id integer references person, -- pseudonym
	identifier varchar(50), -- drop|surrogate|pseudonym mrn|id
	identifier_type integer, -- keep|drop|pseudonym
	preferred boolean, -- keep|drop
	location_id integer -- pseudonym|drop
);
create table relationship ( -- patient: person_a
	relationship_id integer primary key, -- pseudonym
	person_a integer references person, -- pseudonym
	relationship integer, -- keep|drop|pseudonym
	person_b integer references person, -- pseudonym|drop
	start_date timestamp -- date_shift|drop
);
create table visit ( -- patient: patient_id
	visit_id integer primary key, -- pseudonym
	patient_id integer references person, -- pseudonym
	visit_type_id integer, -- keep|drop|pseudonym
	date_started timestamp, -- date_shift
	date_stopped timestamp, -- date_shift
	indication_concept_id integer -- keep|drop|pseudonym
);
create table encounter ( -- patient: patient_id
	encounter_id integer primary key, -- pseudonym
	encounter_type integer, -- keep|drop|pseudonym
	patient_id integer references person, -- pseudonym
	location_id integer, -- pseudonym|drop
	encounter_datetime timestamp, -- date_shift
	visit_id integer references visit -- pseudonym|drop
);
create table obs ( -- patient: person_id
	obs_id integer primary key, -- pseudonym
	person_id integer references person, -- pseudonym
	concept_id integer, -- keep|drop|pseudonym
	encounter_id integer references encounter, -- pseudonym|drop
	obs_datetime timestamp, -- date_shift
	accession_number varchar(255), -- drop id
	value_coded integer, -- keep|drop
	value_datetime timestamp, -- date_shift
	value_numeric double precision, -- keep|drop
	value_text text, -- text
	value_complex varchar(1000), -- drop|text
	comments varchar(255), -- text|drop
	status varchar(16), -- keep|drop
	interpretation varchar(32) -- keep|drop
);
create table provider ( -- patient: none
	provider_id integer primary key, -- pseudonym|keep
	person_id integer references person, -- pseudonym|drop
	name varchar(255), -- drop provider.name
	identifier varchar(255), -- drop
	retired boolean -- keep|drop
);
create table users ( -- patient: none
	user_id integer primary key, -- pseudonym|keep|drop
	system_id varchar(50), -- drop
	username varchar(50), -- drop username
	email varchar(255), -- drop email
	person_id integer references person, -- pseudonym|drop
	retired boolean -- keep|drop
);
