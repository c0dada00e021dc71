-- After PCORnet's Common Data Model 6: coded text everywhere, dates and times apart, raw values beside codes.
create table demographic ( -- patient: patid
	patid varchar(50) primary key, -- pseudonym
	birth_date date, -- year|date_shift birth_date
	birth_time varchar(5), -- drop|keep
	sex varchar(2), -- keep
	sexual_orientation varchar(2), -- keep|drop
	gender_identity varchar(2), -- keep|drop
	hispanic varchar(2), -- keep
	race varchar(2), -- keep
	biobank_flag varchar(1), -- keep|drop
	pat_pref_language_spoken varchar(3), -- keep|drop
	raw_sex varchar(50), -- drop
	raw_race varchar(50) -- drop
);
create table encounter ( -- patient: patid
	encounterid varchar(50) primary key, -- pseudonym
	patid varchar(50) references demographic, -- pseudonym
	admit_date date, -- date_shift
	admit_time varchar(5), -- drop|keep
	discharge_date date, -- date_shift
	providerid varchar(50), -- pseudonym|drop
	facility_location varchar(5), -- zip3|drop zip
	enc_type varchar(2), -- keep
	facilityid varchar(50), -- pseudonym|drop
	discharge_disposition varchar(2), -- keep|drop
	discharge_status varchar(2), -- keep|drop
	drg varchar(3), -- keep|drop
	admitting_source varchar(2), -- keep|drop
	raw_siteid varchar(50) -- drop
);
create table diagnosis ( -- patient: patid
	diagnosisid varchar(50) primary key, -- pseudonym
	patid varchar(50) references demographic, -- pseudonym
	encounterid varchar(50) references encounter, -- pseudonym|drop
	enc_type varchar(2), -- keep|drop
	admit_date date, -- date_shift
	providerid varchar(50), -- pseudonym|drop
	dx varchar(18), -- keep|drop
	dx_type varchar(2), -- keep|drop
	dx_date date, -- date_shift
	dx_source varchar(2), -- keep|drop
	pdx varchar(2), -- keep|drop
	raw_dx varchar(255) -- drop
);
create table vital ( -- patient: patid
	vitalid varchar(50) primary key, -- pseudonym
	patid varchar(50) references demographic, -- pseudonym
	encounterid varchar(50), -- pseudonym|drop
	measure_date date, -- date_shift
	measure_time varchar(5), -- drop|keep
	vital_source varchar(2), -- keep|drop
	ht numeric(15,8), -- keep|drop
	wt numeric(15,8), -- keep|drop
	diastolic numeric(15,8), -- keep|drop
	systolic numeric(15,8), -- keep|drop
	original_bmi numeric(15,8), -- keep|drop
	smoking varchar(2) -- keep|drop
);
create table lab_result_cm ( -- patient: patid
	lab_result_cm_id varchar(50) primary key, -- pseudonym
	patid varchar(50) references demographic, -- pseudonym
	specimen_source varchar(255), -- drop|keep
	lab_loinc varchar(10), -- keep|drop
	lab_px varchar(11), -- keep|drop
	lab_order_date date, -- date_shift
	specimen_date date, -- date_shift
	result_date date, -- date_shift
	result_qual varchar(255), -- drop|text
	result_num numeric(15,8), -- keep|drop
	result_unit varchar(11), -- keep|drop
	norm_range_low varchar(10), -- drop|keep
	abn_ind varchar(2), -- keep|drop
	raw_result varchar(255), -- drop|text
	raw_facility_code varchar(50) -- drop
);
create table death ( -- patient: patid
	patid varchar(50) references demographic, -- pseudonym
	death_date date, -- date_shift
	death_date_impute varchar(2), -- keep|drop
	death_source varchar(2), -- keep
	death_match_confidence varchar(2), -- keep|drop
	primary key (patid, death_source)
);
create table private_demographic ( -- patient: patid
	patid varchar(50) primary key references demographic, -- pseudonym
	pat_firstname varchar(50), -- surrogate|drop name.first
	pat_lastname varchar(50), -- surrogate|drop name.last
	pat_middlename varchar(50), -- surrogate|drop name.middle
	pat_maidenname varchar(50), -- surrogate|drop name.alias|name.last
	birth_date date, -- year|date_shift birth_date
	primary_email varchar(100), -- drop|surrogate email
	primary_phone varchar(20) -- drop|surrogate phone
);
create table private_address_history ( -- patient: patid
	addressid varchar(50) primary key, -- pseudonym
	patid varchar(50) references demographic, -- pseudonym
	address_use varchar(2), -- keep|drop
	address_street varchar(255), -- drop|surrogate street
	address_detail varchar(255), -- drop|surrogate street
	address_city varchar(50), -- drop|surrogate city
	address_state varchar(2), -- keep|drop|surrogate state
	address_zip5 varchar(5), -- zip3|drop zip
	address_zip9 varchar(9), -- zip3|drop zip
	address_period_start date -- date_shift|drop
);
create table provider ( -- patient: none
	providerid varchar(50) primary key, -- pseudonym
	provider_sex varchar(2), -- keep|drop
	provider_specialty_primary varchar(50), -- keep|drop
	provider_npi bigint, -- drop id
	provider_npi_flag varchar(1) -- keep|drop
);
create table site_note ( -- patient: patid
	noteid varchar(50) primary key, -- pseudonym
	patid varchar(50) references demographic, -- pseudonym
	encounterid varchar(50) references encounter, -- pseudonym|drop
	note_date date, -- date_shift
	note_type varchar(20), -- keep|drop
	note_text text -- text
);
