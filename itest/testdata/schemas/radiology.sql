-- A radiology system: numbers of DICOM, names with carets, dates as eight digits.
create table study ( -- patient: patient_fk
	study_pk bigint primary key, -- pseudonym
	patient_fk bigint, -- pseudonym
	study_iuid varchar(64), -- drop
	accession_no varchar(16), -- drop id
	study_date varchar(8), -- date_shift|drop
	study_time varchar(14), -- drop
	study_desc varchar(64), -- drop|text
	ref_physician varchar(64), -- drop provider.name
	patient_age varchar(4), -- age_cap|drop
	mods_in_study varchar(16), -- keep|drop
	num_instances integer, -- keep|drop
	created_time timestamp -- date_shift
);
create table patient ( -- patient: patient_pk
	patient_pk bigint primary key, -- pseudonym
	pat_id varchar(64), -- drop|pseudonym mrn|id
	pat_name varchar(64), -- surrogate|drop name.full
	pat_birthdate varchar(8), -- year|date_shift|drop birth_date
	pat_sex char(1), -- keep|drop
	pat_comments varchar(255), -- text|drop
	pat_custom1 varchar(64) -- drop
);
alter table study add foreign key (patient_fk) references patient;
create table report ( -- patient: study_fk via study
	report_pk bigint primary key, -- pseudonym
	study_fk bigint references study, -- pseudonym
	findings text, -- text
	impression text, -- text
	dictated_by varchar(64), -- drop provider.name
	transcriptionist varchar(64), -- drop
	dictated_dt timestamp, -- date_shift
	addendum_no smallint, -- keep|drop
	status varchar(10) -- keep|drop
);
create table series ( -- patient: study_fk via study
	series_pk bigint primary key, -- pseudonym
	study_fk bigint references study, -- pseudonym
	series_iuid varchar(64), -- drop
	series_no integer, -- keep|drop
	modality varchar(16), -- keep|drop
	station_name varchar(64), -- drop facility
	institution varchar(64), -- drop facility
	perf_physician varchar(64), -- drop provider.name
	body_part varchar(16), -- keep|drop
	src_aet varchar(16) -- drop
);
