-- In the manner of another large vendor: entity numbers, code values (_cd), date and time columns named _dt_tm, long_blob for notes.
create table person ( -- patient: person_id
	person_id bigint primary key, -- pseudonym
	name_last varchar(200), -- surrogate|drop name.last
	name_first varchar(200), -- surrogate|drop name.first
	name_middle varchar(200), -- surrogate|drop name.middle
	name_full_formatted varchar(100), -- surrogate|drop name.full
	name_last_key varchar(100), -- surrogate|drop name.last
	name_first_key varchar(100), -- surrogate|drop name.first
	birth_dt_tm timestamp, -- year|date_shift birth_date
	abs_birth_dt_tm timestamp, -- year|date_shift birth_date
	deceased_cd bigint, -- keep|drop|pseudonym
	deceased_dt_tm timestamp, -- date_shift
	sex_cd bigint, -- keep|drop|pseudonym
	ethnic_grp_cd bigint, -- keep|drop|pseudonym
	language_cd bigint, -- keep|drop|pseudonym
	vip_cd bigint, -- drop|keep|pseudonym
	mother_maiden_name varchar(200), -- drop|surrogate relative.name
	updt_dt_tm timestamp, -- date_shift|drop
	updt_id bigint, -- pseudonym|drop
	updt_cnt integer, -- keep|drop
	active_ind smallint -- keep|drop
);
create table person_alias ( -- patient: person_id
	person_alias_id bigint primary key, -- pseudonym
	person_id bigint references person, -- pseudonym
	alias varchar(200), -- drop|surrogate mrn|id|ssn
	person_alias_type_cd bigint, -- keep|drop|pseudonym
	alias_pool_cd bigint, -- keep|drop|pseudonym
	beg_effective_dt_tm timestamp, -- date_shift|drop
	end_effective_dt_tm timestamp -- date_shift|drop
);
create table encounter ( -- patient: person_id
	encntr_id bigint primary key, -- pseudonym
	person_id bigint references person, -- pseudonym
	reg_dt_tm timestamp, -- date_shift
	disch_dt_tm timestamp, -- date_shift
	arrive_dt_tm timestamp, -- date_shift
	encntr_type_cd bigint, -- keep|drop|pseudonym
	reason_for_visit varchar(255), -- text|drop
	loc_facility_cd bigint, -- drop|keep|pseudonym
	loc_room_cd bigint, -- drop|keep|pseudonym
	organization_id bigint, -- pseudonym|drop
	preadmit_nbr varchar(100), -- drop
	financial_class_cd bigint -- keep|drop|pseudonym
);
create table clinical_event ( -- patient: person_id
	clinical_event_id bigint primary key, -- pseudonym
	person_id bigint references person, -- pseudonym
	encntr_id bigint references encounter, -- pseudonym|drop
	event_cd bigint, -- keep|drop|pseudonym
	event_tag varchar(255), -- drop|text
	event_title_text varchar(255), -- drop|text
	event_start_dt_tm timestamp, -- date_shift
	event_end_dt_tm timestamp, -- date_shift
	result_val varchar(255), -- drop|text
	result_units_cd bigint, -- keep|drop|pseudonym
	performed_prsnl_id bigint, -- pseudonym|drop
	performed_dt_tm timestamp, -- date_shift
	accession_nbr varchar(20), -- drop id
	reference_nbr varchar(100) -- drop
);
create table ce_blob ( -- patient: clinical_event_id via clinical_event
	event_id bigint primary key, -- pseudonym
	clinical_event_id bigint references clinical_event, -- pseudonym|drop
	blob_contents text, -- text
	blob_length integer, -- keep|drop
	compression_cd bigint, -- keep|drop|pseudonym
	valid_from_dt_tm timestamp -- date_shift|drop
);
create table address ( -- patient: person_id
	address_id bigint primary key, -- pseudonym
	person_id bigint references person, -- pseudonym
	street_addr varchar(100), -- drop|surrogate street
	street_addr2 varchar(100), -- drop|surrogate street
	city varchar(100), -- drop|surrogate city
	state varchar(100), -- keep|drop|surrogate state
	zipcode varchar(25), -- zip3|drop zip
	county varchar(100), -- drop
	address_type_cd bigint, -- keep|drop|pseudonym
	contact_name varchar(200) -- drop|surrogate relative.name
);
create table phone ( -- patient: person_id
	phone_id bigint primary key, -- pseudonym
	person_id bigint references person, -- pseudonym
	phone_num varchar(100), -- drop|surrogate phone
	extension varchar(100), -- drop
	phone_type_cd bigint, -- keep|drop|pseudonym
	call_instruction varchar(100) -- drop|text
);
create table prsnl ( -- patient: none
	prsnl_id bigint primary key, -- pseudonym
	name_last varchar(200), -- drop provider.name
	name_first varchar(200), -- drop provider.name
	name_full_formatted varchar(100), -- drop provider.name
	username varchar(50), -- drop username
	email varchar(100), -- drop email
	physician_ind smallint, -- keep|drop
	position_cd bigint -- keep|drop|pseudonym
);
create table code_value ( -- patient: none
	code_value bigint primary key, -- keep|pseudonym
	code_set integer, -- keep|drop
	display varchar(40), -- keep|drop
	description varchar(60), -- keep|drop
	active_ind smallint -- keep|drop
);
