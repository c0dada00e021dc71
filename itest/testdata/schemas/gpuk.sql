-- In the manner of a general practice system in the United Kingdom.
create table patient ( -- patient: patient_id
	patient_id uuid primary key, -- pseudonym
	nhs_number varchar(10), -- drop mrn|id
	forenames varchar(100), -- surrogate|drop name.first
	surname varchar(100), -- surrogate|drop name.last
	previous_surname varchar(100), -- surrogate|drop name.alias|name.last
	date_of_birth date, -- year|date_shift birth_date
	date_of_death date, -- date_shift
	sex_code char(1), -- keep|drop
	usual_gp_name varchar(200), -- drop provider.name
	house_name_flat_number varchar(100), -- drop|surrogate street
	number_and_street varchar(100), -- drop|surrogate street
	village varchar(100), -- drop|surrogate city
	postcode varchar(8), -- drop zip
	mobile_telephone varchar(20), -- drop|surrogate phone
	next_of_kin varchar(200), -- drop relative.name
	lsoa varchar(9), -- drop
	is_spine_sensitive boolean -- keep|drop
);
create table consultation ( -- patient: patient_id
	consultation_id uuid primary key, -- pseudonym
	patient_id uuid references patient, -- pseudonym
	effective_date date, -- date_shift
	effective_time time, -- drop|keep
	clinician_user_in_role_id uuid, -- pseudonym|drop
	location_type_description varchar(100), -- drop|keep|text
	duration_minutes integer, -- keep|drop
	complete boolean -- keep|drop
);
create table observation ( -- patient: patient_id
	observation_id uuid primary key, -- pseudonym
	patient_id uuid references patient, -- pseudonym
	consultation_id uuid references consultation, -- pseudonym|drop
	code_id bigint, -- keep|drop|pseudonym
	numeric_value numeric(19,3), -- keep|drop
	numeric_unit varchar(50), -- keep|drop
	associated_text text, -- text
	problem_end_date date, -- date_shift
	document_guid uuid, -- drop|pseudonym
	is_confidential boolean -- keep|drop
);
create table user_in_role ( -- patient: none
	user_in_role_id uuid primary key, -- pseudonym
	title varchar(20), -- drop
	given_name varchar(100), -- drop provider.name
	surname varchar(100), -- drop provider.name
	job_category_name varchar(100), -- drop|keep
	contract_start_date date -- drop
);
