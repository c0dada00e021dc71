-- Synthea's CSV export loaded with lower-case names, and its text notes beside it.
create schema synthea;
create table synthea.patients (
	id uuid primary key, birthdate date, deathdate date, ssn text, drivers text, passport text, prefix text, first text, middle text, last text,
	suffix text, maiden text, marital text, race text, ethnicity text, gender text, birthplace text, address text, city text, state text,
	county text, fips text, zip text, lat numeric, lon numeric, healthcare_expenses numeric, healthcare_coverage numeric, income numeric);
create table synthea.organizations (
	id uuid primary key, name text, address text, city text, state text, zip text, lat numeric, lon numeric, phone text, revenue numeric, utilization int);
create table synthea.providers (
	id uuid primary key, organization uuid, name text, gender text, speciality text, address text, city text, state text, zip text, lat numeric,
	lon numeric, encounters int, procedures int);
create table synthea.payers (id uuid primary key, name text);
create table synthea.encounters (
	id uuid primary key, start timestamptz, stop timestamptz, patient uuid, organization uuid, provider uuid, payer uuid, encounterclass text,
	code text, description text, base_encounter_cost numeric, total_claim_cost numeric, payer_coverage numeric, reasoncode text, reasondescription text);
create table synthea.conditions (start date, stop date, patient uuid, encounter uuid, system text, code text, description text);
create table synthea.notes (id uuid primary key, patient uuid, encounter uuid, date timestamptz, text text);

insert into synthea.organizations values ('00000000-0000-4000-8000-00000000000a', 'LARKENMOOR REGIONAL HOSPITAL', '88 THORNHYTHE PLAZA', 'BRACKWATER', 'MA', '02139', 42.3, -71.1, '617-482-0147', 0, 3);
insert into synthea.providers values ('00000000-0000-4000-8000-00000000000b', '00000000-0000-4000-8000-00000000000a', 'Hesper12 Vandermolen345', 'F', 'GENERAL PRACTICE', '88 THORNHYTHE PLAZA', 'BRACKWATER', 'MA', '02139', 42.3, -71.1, 3, 0);
insert into synthea.patients values
	('00000000-0000-4000-8000-000000000001', '1931-07-14', null, '999-61-4523', 'S99917283', 'X77190026X', 'Mrs.', 'Oriel921', 'Tansy40', 'Wexcombe602', null, 'Ostrimov77', 'M', 'white', 'nonhispanic', 'F',
	 'Brackwater  Massachusetts  US', '4711 Wexcombe Hollow', 'Brackwater', 'Massachusetts', 'Middlesex County', '25017', '02139', 42.37, -71.10, 1000.5, 900, 51000),
	('00000000-0000-4000-8000-000000000002', '1990-02-03', null, '999-61-4524', null, null, null, 'Corbin33', null, 'Wexcombe602', null, null, null, 'asian', 'hispanic', 'M',
	 'Brackwater  Massachusetts  US', '12 Wexcombe Hollow', 'Brackwater', 'Massachusetts', 'Middlesex County', '25017', '02139', 42.37, -71.10, 0, 0, 0);
insert into synthea.encounters values
	('00000000-0000-4000-8000-000000000101', '2021-03-02T08:00:00Z', '2021-03-02T08:15:00Z', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b', null, 'ambulatory', '185345009', 'Encounter for symptom', 85.55, 85.55, 0, null, null);
insert into synthea.conditions values ('2021-03-02', null, '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000101', 'http://snomed.info/sct', '59621000', 'Essential hypertension (disorder)');
insert into synthea.notes values
	('00000000-0000-4000-8000-000000001001', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000101', '2021-03-02T08:10:00Z',
	 E'2021-03-02\n\n# Chief Complaint\nNo complaints.\n\n# History of Present Illness\nOriel921 is a 89 year-old nonhispanic white female. Mrs. Wexcombe602 lives at 4711 Wexcombe Hollow, Brackwater. SSN 999-61-4523. Seen by Dr. Vandermolen345 at Larkenmoor Regional Hospital.'),
	('00000000-0000-4000-8000-000000001002', '00000000-0000-4000-8000-000000000002', null, '2021-03-03T08:10:00Z', 'Corbin33 WEXCOMBE602, born 02/03/1990, is well.');
