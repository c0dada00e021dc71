-- Millennium, as its columns come to PostgreSQL: the rows that are valid now, and a few of the many columns that each table has.
create schema millennium;
create table millennium.person (
	person_id bigint primary key, name_last_key varchar(100), name_first_key varchar(100), name_full_formatted varchar(100), name_last varchar(200),
	name_first varchar(200), name_middle varchar(200), mother_maiden_name varchar(200), birth_dt_tm timestamp, abs_birth_dt_tm timestamp, deceased_dt_tm timestamp,
	deceased_cd bigint, sex_cd bigint, race_cd bigint, ethnic_grp_cd bigint, language_cd bigint, marital_type_cd bigint, vip_cd bigint, active_ind smallint, updt_dt_tm timestamp, updt_id bigint);
create table millennium.person_name (
	person_name_id bigint primary key, person_id bigint not null references millennium.person, name_type_cd bigint, name_full varchar(100), name_first varchar(200),
	name_middle varchar(200), name_last varchar(200), name_prefix varchar(100), end_effective_dt_tm timestamp, active_ind smallint);
create table millennium.person_alias (
	person_alias_id bigint primary key, person_id bigint not null references millennium.person, alias varchar(200), alias_pool_cd bigint, person_alias_type_cd bigint,
	beg_effective_dt_tm timestamp, end_effective_dt_tm timestamp, active_ind smallint);
create table millennium.address (
	address_id bigint primary key, parent_entity_name varchar(32), parent_entity_id bigint, address_type_cd bigint, street_addr varchar(100), street_addr2 varchar(100),
	street_addr3 varchar(100), city varchar(100), county varchar(100), state varchar(100), state_cd bigint, zipcode varchar(25), country_cd bigint, active_ind smallint);
create table millennium.phone (
	phone_id bigint primary key, parent_entity_name varchar(32), parent_entity_id bigint, phone_type_cd bigint, phone_num varchar(100), extension varchar(100),
	call_instruction varchar(100), active_ind smallint);
create table millennium.organization (organization_id bigint primary key, org_name varchar(100), org_name_key varchar(100), federal_tax_id_nbr varchar(100), active_ind smallint);
create table millennium.prsnl (
	person_id bigint primary key, name_full_formatted varchar(100), name_last varchar(200), name_first varchar(200), username varchar(50), email varchar(100),
	position_cd bigint, physician_ind smallint, active_ind smallint);
create table millennium.encounter (
	encntr_id bigint primary key, person_id bigint not null references millennium.person, reg_dt_tm timestamp, arrive_dt_tm timestamp, disch_dt_tm timestamp,
	encntr_type_cd bigint, encntr_class_cd bigint, med_service_cd bigint, reason_for_visit varchar(255), loc_facility_cd bigint, loc_nurse_unit_cd bigint, loc_bed_cd bigint,
	organization_id bigint references millennium.organization, disch_disposition_cd bigint, active_ind smallint);
create table millennium.encntr_alias (
	encntr_alias_id bigint primary key, encntr_id bigint not null references millennium.encounter, alias varchar(200), encntr_alias_type_cd bigint, active_ind smallint);
create table millennium.encntr_prsnl_reltn (
	encntr_prsnl_reltn_id bigint primary key, encntr_id bigint not null references millennium.encounter, prsnl_person_id bigint, encntr_prsnl_r_cd bigint,
	ft_prsnl_name varchar(100), end_effective_dt_tm timestamp, active_ind smallint);
create table millennium.clinical_event (
	clinical_event_id bigint primary key, event_id bigint not null, person_id bigint not null references millennium.person, encntr_id bigint references millennium.encounter,
	parent_event_id bigint, order_id bigint, event_cd bigint, event_class_cd bigint, event_title_text varchar(255), event_tag varchar(255), event_start_dt_tm timestamp,
	event_end_dt_tm timestamp, performed_dt_tm timestamp, performed_prsnl_id bigint, verified_prsnl_id bigint, result_status_cd bigint, result_val varchar(255),
	result_units_cd bigint, normalcy_cd bigint, normal_low varchar(20), normal_high varchar(20), accession_nbr varchar(20), reference_nbr varchar(100),
	valid_from_dt_tm timestamp, valid_until_dt_tm timestamp);
create unique index on millennium.clinical_event (event_id);
create table millennium.ce_blob (
	event_id bigint, blob_seq_num bigint, blob_length bigint, compression_cd bigint, blob_contents bytea, valid_from_dt_tm timestamp, valid_until_dt_tm timestamp,
	primary key (event_id, blob_seq_num, valid_until_dt_tm));
create table millennium.diagnosis (
	diagnosis_id bigint primary key, person_id bigint not null references millennium.person, encntr_id bigint, nomenclature_id bigint, diag_dt_tm timestamp,
	diag_type_cd bigint, diagnosis_display varchar(255), diag_ftdesc varchar(255), diag_prsnl_name varchar(100), active_ind smallint);
create table millennium.problem (
	problem_instance_id bigint primary key, problem_id bigint, person_id bigint not null references millennium.person, nomenclature_id bigint, problem_ftdesc varchar(255),
	annotated_display varchar(255), onset_dt_tm timestamp, life_cycle_status_cd bigint, active_ind smallint);
