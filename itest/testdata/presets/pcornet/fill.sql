insert into pcornet.demographic (patid, birth_date, birth_time, sex, hispanic, race, pat_pref_language_spoken, raw_sex, raw_race)
	select 'PT' || mrn, born, '04:17', sex, 'N', '05', 'ENG', 'Mx. ' || family, kin from people where n <= 10;
insert into pcornet.private_demographic select 'PT' || mrn, given, middle, family, null, born, sex, '05', 'N', email, phone from people where n <= 10;
insert into pcornet.private_address_history
	select 'AD' || mrn, 'PT' || mrn, 'HO', 'PH', 'Y', street, 'Flat ' || n, city, 'Middlesex', state, zip, zip || '1234', '2019-01-01', null from people where n <= 10;
insert into pcornet.lds_address_history
	select 'AD' || mrn, 'PT' || mrn, 'HO', 'PH', 'Y', city, state, zip, zip || '1234', '2019-01-01', null from people where n <= 10;
insert into pcornet.enrollment select 'PT' || mrn, '2018-01-01'::date + n, '2024-12-31', 'Y', 'I' from people where n <= 10;
insert into pcornet.provider values ('DR7719', 'F', '207R00000X', 1629384756, 'Y', 'of Larkenmoor');
insert into pcornet.encounter (encounterid, patid, admit_date, admit_time, discharge_date, providerid, facility_location, enc_type, facilityid, raw_siteid)
	select 'EN' || mrn, 'PT' || mrn, '2024-03-01'::date + n, '08:00', '2024-03-05'::date + n, 'DR7719', zip, 'IP', 'LARKENMOOR', 'Larkenmoor' from people where n <= 10;
insert into pcornet.diagnosis (diagnosisid, patid, encounterid, enc_type, admit_date, providerid, dx, dx_type, dx_date, dx_source, pdx, raw_dx)
	select 'DX' || mrn, 'PT' || mrn, 'EN' || mrn, 'IP', '2024-03-01'::date + n, 'DR7719', 'R05.9', '10', '2024-03-01'::date + n, 'DI', 'P', 'cough of ' || family from people where n <= 10;
insert into pcornet.procedures (proceduresid, patid, encounterid, providerid, px_date, px, px_type, px_source)
	select 'PX' || mrn, 'PT' || mrn, 'EN' || mrn, 'DR7719', '2024-03-02'::date + n, '71046', 'CH', 'OD' from people where n <= 10;
insert into pcornet.vital (vitalid, patid, encounterid, measure_date, measure_time, vital_source, ht, wt, diastolic, systolic, smoking)
	select 'VI' || mrn, 'PT' || mrn, 'EN' || mrn, '2024-03-02'::date + n, '08:30', 'HC', 65, 150, 82, 131, '04' from people where n <= 10;
insert into pcornet.lab_result_cm (lab_result_cm_id, patid, encounterid, lab_loinc, result_date, result_num, result_unit, raw_result, raw_facility_code)
	select 'LB' || mrn, 'PT' || mrn, 'EN' || mrn, '2823-3', '2024-03-02'::date + n, 4.1, 'mmol/L', '4.1, called to ' || given || ' ' || family, 'Larkenmoor' from people where n <= 10;
insert into pcornet.prescribing (prescribingid, patid, encounterid, rx_providerid, rx_order_date, rx_quantity, rxnorm_cui, raw_rx_med_name)
	select 'RX' || mrn, 'PT' || mrn, 'EN' || mrn, 'DR7719', '2024-03-03'::date + n, 21, '308191', 'Amoxicillin 500 mg for ' || given || ' ' || family from people where n <= 10;
insert into pcornet.condition (conditionid, patid, encounterid, report_date, condition_status, condition, condition_type, condition_source, raw_condition)
	select 'CO' || mrn, 'PT' || mrn, 'EN' || mrn, '2024-03-02'::date + n, 'AC', 'R05.9', '10', 'HC', family from people where n <= 10;
insert into pcornet.obs_clin (obsclinid, patid, encounterid, obsclin_providerid, obsclin_start_date, obsclin_type, obsclin_code, obsclin_result_text, raw_obsclin_result)
	select 'OC' || mrn, 'PT' || mrn, 'EN' || mrn, 'DR7719', '2024-03-02'::date + n, 'LC', '8716-3', 'taken at ' || street, kin from people where n <= 10;
insert into pcornet.obs_gen (obsgenid, patid, encounterid, obsgen_providerid, obsgen_start_date, obsgen_type, obsgen_code, obsgen_result_text, obsgen_source)
	select 'OG' || mrn, 'PT' || mrn, 'EN' || mrn, 'DR7719', '2024-03-02'::date + n, 'LC', '11506-3', replace(says, kin || ' called', 'The daughter called'), 'HC' from people where n <= 10;
insert into pcornet.death values ('PT77192801', '2024-05-01', 'N', 'L', 'E');
