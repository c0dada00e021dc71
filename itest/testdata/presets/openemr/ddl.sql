-- OpenEMR 7, as its columns come to PostgreSQL. Wide tables are shortened to what is mapped and to some of what must not pass.
create schema openemr;
create table openemr.patient_data (
	id bigint primary key, pid bigint not null unique, title varchar(255), language varchar(255), financial varchar(255), fname varchar(255), lname varchar(255),
	mname varchar(255), birth_fname text, birth_lname text, preferred_name text, dob date, street varchar(255), postal_code varchar(255), city varchar(255),
	state varchar(255), county varchar(40), country_code varchar(255), drivers_license varchar(255), ss varchar(255), occupation text, phone_home varchar(255),
	phone_biz varchar(255), phone_contact varchar(255), phone_cell varchar(255), pharmacy_id integer, status varchar(255), contact_relationship varchar(255),
	mothersname varchar(255), guardiansname text, date timestamp, sex varchar(255), referrer varchar(255), providerid integer, email varchar(255),
	email_direct varchar(255), ethnoracial varchar(255), race varchar(255), ethnicity varchar(255), genericname1 varchar(255), genericval1 varchar(255),
	pubpid varchar(255), billing_note text, deceased_date timestamp, deceased_reason varchar(255), usertext1 varchar(255), uuid bytea);
create table openemr.employer_data (id bigint primary key, name varchar(255), street varchar(255), postal_code varchar(255), city varchar(255), pid bigint not null);
create table openemr.insurance_data (
	id bigint primary key, type varchar(10), provider varchar(255), plan_name varchar(255), policy_number varchar(255), group_number varchar(255),
	subscriber_lname varchar(255), subscriber_mname varchar(255), subscriber_fname varchar(255), subscriber_relationship varchar(255), subscriber_ss varchar(255),
	subscriber_dob date, subscriber_street varchar(255), subscriber_postal_code varchar(255), subscriber_city varchar(255), subscriber_phone varchar(255),
	subscriber_employer varchar(255), date date, pid bigint not null);
create table openemr.facility (id integer primary key, name varchar(255), phone varchar(30), street varchar(255), city varchar(255), federal_ein varchar(15));
create table openemr.users (
	id bigint primary key, username varchar(255), password text, fname varchar(255), mname varchar(255), lname varchar(255), federaltaxid varchar(255),
	federaldrugid varchar(255), npi varchar(15), facility varchar(255), email varchar(255), phone varchar(30), active smallint not null default 1);
create table openemr.form_encounter (
	id bigint primary key, date timestamp, reason text, facility text, facility_id integer not null default 0, pid bigint, encounter bigint unique, onset_date timestamp,
	sensitivity varchar(30), billing_note text, pc_catid integer not null default 5, provider_id integer, referral_source varchar(31), date_end timestamp,
	discharge_disposition varchar(100), external_id varchar(20));
create table openemr.forms (
	id bigint primary key, date timestamp, encounter bigint, form_name text, form_id bigint, pid bigint, "user" varchar(255), groupname varchar(255),
	authorized smallint, deleted smallint not null default 0, formdir text);
create table openemr.form_soap (
	id bigint primary key, date timestamp, pid bigint, "user" varchar(255), groupname varchar(255), authorized smallint, activity smallint, subjective text,
	objective text, assessment text, plan text);
create table openemr.form_clinical_notes (
	id bigint primary key, form_id bigint not null, date date, encounter bigint, pid bigint, "user" varchar(255), activity smallint, code varchar(255),
	codetext text, description text, external_id varchar(30), clinical_notes_type varchar(100), clinical_notes_category varchar(100));
create table openemr.form_vitals (
	id bigint primary key, date timestamp, pid bigint, "user" varchar(255), bps varchar(40), bpd varchar(40), weight numeric(12,6), height numeric(12,6),
	temperature numeric(12,6), pulse numeric(12,6), respiration numeric(12,6), bmi numeric(12,6), oxygen_saturation numeric(6,2), note varchar(255));
create table openemr.pnotes (
	id bigint primary key, date timestamp, body text, pid bigint, "user" varchar(255), groupname varchar(255), activity smallint, authorized smallint,
	title varchar(255), assigned_to varchar(255), deleted smallint default 0, message_status varchar(20));
create table openemr.lists (
	id bigint primary key, date timestamp, type varchar(255), title varchar(255), begdate timestamp, enddate timestamp, diagnosis varchar(255), activity smallint,
	comments text, pid bigint, "user" varchar(255), referredby varchar(255));
create table openemr.prescriptions (
	id bigint primary key, patient_id bigint, encounter bigint, date_added timestamp, start_date date, end_date date, drug varchar(150), rxnorm_drugcode varchar(25),
	dosage varchar(100), quantity varchar(31), refills integer, note text, provider_id integer, filled_by_id integer);
create table openemr.history_data (
	id bigint primary key, pid bigint not null, date timestamp, tobacco text, history_mother text, history_father text, history_siblings text, name_1 varchar(255),
	value_1 varchar(255), additional_history text);
