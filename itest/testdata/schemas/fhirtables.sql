-- FHIR resources flattened into tables, as pipelines out of FHIR servers make them: text keys, references, arrays, jsonb.
create table patient ( -- patient: id
	id text primary key, -- pseudonym
	active boolean, -- keep|drop
	name_family text, -- surrogate|drop name.last
	name_given text[], -- drop
	name_text text, -- surrogate|drop name.full
	telecom_phone text, -- drop|surrogate phone
	telecom_email text, -- drop|surrogate email
	gender text, -- keep
	birthdate text, -- year|date_shift|drop birth_date
	deceased_boolean boolean, -- keep
	deceased_datetime timestamptz, -- date_shift
	address_line text[], -- drop
	address_city text, -- drop|surrogate city
	address_postalcode text, -- zip3|drop zip
	marital_status_code text, -- keep|drop
	contact_name text, -- drop|surrogate relative.name
	contact_telecom text, -- drop|surrogate phone
	managing_organization text, -- drop|pseudonym
	meta_last_updated timestamptz, -- date_shift|drop
	tags text[], -- drop
	raw jsonb -- drop
);
create table encounter ( -- patient: subject_id
	id text primary key, -- pseudonym
	subject_id text references patient, -- pseudonym
	status text, -- keep|drop
	class_code text, -- keep|drop
	period_start timestamptz, -- date_shift
	period_end timestamptz, -- date_shift
	reason_text text, -- text|drop
	participant_display text, -- drop provider.name
	location_display text, -- drop facility
	length_minutes integer -- keep|drop
);
create table observation ( -- patient: subject_id
	id text primary key, -- pseudonym
	subject_id text references patient, -- pseudonym
	encounter_id text references encounter, -- pseudonym|drop
	status text, -- keep|drop
	code_code text, -- keep|drop
	code_display text, -- keep|drop
	effective_datetime timestamptz, -- date_shift
	issued timestamptz, -- date_shift
	value_quantity double precision, -- keep|drop
	value_unit text, -- keep|drop
	value_string text, -- text|drop
	note_text text, -- text|drop
	performer_display text, -- drop provider.name
	reference_range text -- drop|text
);
create table document_reference ( -- patient: subject_id
	id text primary key, -- pseudonym
	subject_id text references patient, -- pseudonym
	master_identifier text, -- drop
	status text, -- keep|drop
	type_code text, -- keep|drop
	date timestamptz, -- date_shift
	author_display text, -- drop provider.name
	description text, -- text|drop
	content_title text, -- text|drop
	content_url text, -- drop
	content_text text, -- text
	note_dt text, -- date_shift|drop
	attachment_fname text -- drop
);
create table practitioner ( -- patient: none
	id text primary key, -- pseudonym
	active boolean, -- keep|drop
	name_family text, -- drop provider.name
	name_given text, -- drop provider.name
	identifier_npi text, -- drop id
	telecom_phone text, -- drop phone
	gender text -- keep|drop
);
create table message ( -- patient: patient_id
	message_id bigint primary key, -- pseudonym
	patient_id text references patient, -- pseudonym
	from_addr text, -- drop email
	to_addr text, -- drop email
	subject text, -- text|drop
	body text, -- text
	sent_at timestamptz, -- date_shift
	is_read boolean -- keep|drop
);
create table device_use ( -- patient: patient_id
	device_use_id uuid primary key, -- pseudonym
	patient_id text references patient, -- pseudonym
	udi text, -- drop device|id
	serial_number text, -- drop device|id
	fitted_on date, -- date_shift
	model_year integer, -- year|drop|keep
	ip_address inet, -- drop
	last_contact text -- drop|date_shift
);
