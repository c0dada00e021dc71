-- PCORnet Common Data Model 6.1, with the columns that version 7 shares and the private tables that no query leaves a site with.
create schema pcornet;
create table pcornet.demographic (
	patid varchar(50) primary key, birth_date date, birth_time varchar(5), sex varchar(2), sexual_orientation varchar(2), gender_identity varchar(2),
	hispanic varchar(2), race varchar(2), biobank_flag varchar(1), pat_pref_language_spoken varchar(3), raw_sex varchar(100), raw_race varchar(100));
create table pcornet.private_demographic (
	patid varchar(50) primary key references pcornet.demographic, pat_firstname varchar(100), pat_middlename varchar(100), pat_lastname varchar(100),
	pat_maidenname varchar(100), birth_date date, sex varchar(2), race varchar(2), hispanic varchar(2), primary_email varchar(100), primary_phone varchar(20));
create table pcornet.private_address_history (
	addressid varchar(50) primary key, patid varchar(50) not null references pcornet.demographic, address_use varchar(2), address_type varchar(2),
	address_preferred varchar(2), address_street varchar(255), address_detail varchar(255), address_city varchar(100), address_county varchar(100),
	address_state varchar(2), address_zip5 varchar(5), address_zip9 varchar(9), address_period_start date, address_period_end date);
create table pcornet.lds_address_history (
	addressid varchar(50) primary key, patid varchar(50) not null references pcornet.demographic, address_use varchar(2), address_type varchar(2),
	address_preferred varchar(2), address_city varchar(100), address_state varchar(2), address_zip5 varchar(5), address_zip9 varchar(9),
	address_period_start date, address_period_end date);
create table pcornet.enrollment (
	patid varchar(50) references pcornet.demographic, enr_start_date date, enr_end_date date, chart varchar(1), enr_basis varchar(1),
	primary key (patid, enr_start_date, enr_basis));
create table pcornet.provider (
	providerid varchar(50) primary key, provider_sex varchar(2), provider_specialty_primary varchar(50), provider_npi bigint, provider_npi_flag varchar(1),
	raw_provider_specialty_primary varchar(100));
create table pcornet.encounter (
	encounterid varchar(50) primary key, patid varchar(50) not null references pcornet.demographic, admit_date date not null, admit_time varchar(5),
	discharge_date date, discharge_time varchar(5), providerid varchar(50) references pcornet.provider, facility_location varchar(5), enc_type varchar(2),
	facilityid varchar(50), discharge_disposition varchar(2), discharge_status varchar(2), drg varchar(3), drg_type varchar(2), admitting_source varchar(2),
	payer_type_primary varchar(5), facility_type varchar(50), raw_siteid varchar(100));
create table pcornet.diagnosis (
	diagnosisid varchar(50) primary key, patid varchar(50) not null references pcornet.demographic, encounterid varchar(50) references pcornet.encounter,
	enc_type varchar(2), admit_date date, providerid varchar(50), dx varchar(18), dx_type varchar(2), dx_date date, dx_source varchar(2), dx_origin varchar(2),
	pdx varchar(2), dx_poa varchar(2), raw_dx varchar(255));
create table pcornet.procedures (
	proceduresid varchar(50) primary key, patid varchar(50) not null references pcornet.demographic, encounterid varchar(50) references pcornet.encounter,
	enc_type varchar(2), admit_date date, providerid varchar(50), px_date date, px varchar(11), px_type varchar(2), px_source varchar(2), ppx varchar(2), raw_px varchar(255));
create table pcornet.vital (
	vitalid varchar(50) primary key, patid varchar(50) not null references pcornet.demographic, encounterid varchar(50), measure_date date, measure_time varchar(5),
	vital_source varchar(2), ht numeric(15,8), wt numeric(15,8), diastolic numeric(15,8), systolic numeric(15,8), original_bmi numeric(15,8), bp_position varchar(2),
	smoking varchar(2), tobacco varchar(2), raw_systolic varchar(50));
create table pcornet.lab_result_cm (
	lab_result_cm_id varchar(50) primary key, patid varchar(50) not null references pcornet.demographic, encounterid varchar(50), specimen_source varchar(10),
	lab_loinc varchar(10), lab_px varchar(11), lab_px_type varchar(2), lab_order_date date, specimen_date date, specimen_time varchar(5), result_date date,
	result_time varchar(5), result_qual varchar(12), result_snomed varchar(18), result_num numeric(15,8), result_modifier varchar(2), result_unit varchar(11),
	norm_range_low varchar(10), norm_range_high varchar(10), abn_ind varchar(2), raw_lab_name varchar(255), raw_result varchar(255), raw_facility_code varchar(50));
create table pcornet.prescribing (
	prescribingid varchar(50) primary key, patid varchar(50) not null references pcornet.demographic, encounterid varchar(50), rx_providerid varchar(50), rx_order_date date,
	rx_order_time varchar(5), rx_start_date date, rx_end_date date, rx_dose_ordered numeric(15,8), rx_dose_ordered_unit varchar(10), rx_quantity numeric(15,8),
	rx_dose_form varchar(50), rx_refills numeric(15,8), rx_days_supply numeric(15,8), rx_frequency varchar(2), rx_prn_flag varchar(1), rx_route varchar(50),
	rxnorm_cui varchar(8), raw_rx_med_name varchar(255));
create table pcornet.condition (
	conditionid varchar(50) primary key, patid varchar(50) not null references pcornet.demographic, encounterid varchar(50), report_date date, resolve_date date,
	onset_date date, condition_status varchar(2), condition varchar(18), condition_type varchar(2), condition_source varchar(2), raw_condition varchar(255));
create table pcornet.obs_clin (
	obsclinid varchar(50) primary key, patid varchar(50) not null references pcornet.demographic, encounterid varchar(50), obsclin_providerid varchar(50),
	obsclin_start_date date, obsclin_start_time varchar(5), obsclin_type varchar(2), obsclin_code varchar(18), obsclin_result_qual varchar(50),
	obsclin_result_text text, obsclin_result_num numeric(15,8), obsclin_result_unit varchar(50), raw_obsclin_result text);
create table pcornet.obs_gen (
	obsgenid varchar(50) primary key, patid varchar(50) not null references pcornet.demographic, encounterid varchar(50), obsgen_providerid varchar(50),
	obsgen_start_date date, obsgen_start_time varchar(5), obsgen_type varchar(30), obsgen_code varchar(50), obsgen_result_qual varchar(255), obsgen_result_text text,
	obsgen_result_num numeric(15,8), obsgen_result_unit varchar(50), obsgen_source varchar(2), raw_obsgen_result text);
create table pcornet.death (
	patid varchar(50) references pcornet.demographic, death_date date, death_date_impute varchar(2), death_source varchar(2), death_match_confidence varchar(2),
	primary key (patid, death_source));
