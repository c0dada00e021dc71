insert into pcornet.demographic (patid, birth_date, sex) select 'PT' || mrn, born, sex from people where n = 11;
insert into pcornet.private_demographic (patid, pat_firstname, pat_lastname, primary_phone) select 'PT' || mrn, given, family, phone from people where n = 11;
insert into pcornet.private_address_history (addressid, patid, address_street, address_city) select 'AD' || mrn, 'PT' || mrn, street, city from people where n = 11;
insert into pcornet.encounter (encounterid, patid, admit_date) select 'EN' || mrn, 'PT' || mrn, '2024-06-01' from people where n = 11;
insert into pcornet.obs_gen (obsgenid, patid, encounterid, obsgen_start_date, obsgen_code, obsgen_result_text)
	select 'OG' || mrn, 'PT' || mrn, 'EN' || mrn, '2024-06-01', '11506-3', replace(says, kin || ' called', 'The daughter called') from people where n = 11;
update pcornet.private_demographic set pat_lastname = 'Pfannenstielke', pat_maidenname = pat_lastname where patid = 'PT77192807';
update pcornet.obs_gen set obsgen_result_text = obsgen_result_text || ' Now Mrs. Pfannenstielke.' where patid = 'PT77192807';
update pcornet.enrollment set enr_end_date = '2024-06-30' where patid = 'PT77192803';
update pcornet.enrollment set enr_start_date = enr_start_date + 1 where patid = 'PT77192805';
delete from pcornet.obs_gen where patid = 'PT77192804';
delete from pcornet.condition where patid = 'PT77192804';
