insert into millennium.person (person_id, name_full_formatted, name_last, name_first, birth_dt_tm) select 100 + n, family || ', ' || given, family, given, born from people where n = 11;
insert into millennium.person_alias (person_alias_id, person_id, alias) select n, 100 + n, mrn from people where n = 11;
insert into millennium.address (address_id, parent_entity_name, parent_entity_id, street_addr, city) select n, 'PERSON', 100 + n, street, city from people where n = 11;
insert into millennium.phone (phone_id, parent_entity_name, parent_entity_id, phone_num) select n, 'PERSON', 100 + n, phone from people where n = 11;
insert into millennium.encounter (encntr_id, person_id, reg_dt_tm) values (511, 111, '2024-06-01');
insert into millennium.clinical_event (clinical_event_id, event_id, person_id, encntr_id, event_end_dt_tm) values (2011, 3011, 111, 511, '2024-06-01');
insert into millennium.ce_blob (event_id, blob_seq_num, valid_until_dt_tm, blob_contents)
	select 3011, 1, '2100-12-31', pg_temp.ocf('{\rtf1\ansi ' || replace(says, kin || ' called', 'A daughter called') || ' Signed by Gwendolara Hartsbottom.\par}') from people where n = 11;
delete from millennium.ce_blob where event_id = 3201 and blob_seq_num > 1;
insert into millennium.ce_blob (event_id, blob_seq_num, valid_until_dt_tm, blob_contents)
	select 3201, seq, '2100-12-31', piece from pg_temp.pieces(pg_temp.ocf(pg_temp.page(1))) where seq = 3;
insert into millennium.ce_blob (event_id, blob_seq_num, valid_until_dt_tm, blob_contents)
	select 3201, seq, '2100-12-31', piece from pg_temp.pieces(pg_temp.ocf(pg_temp.page(1))) where seq not in (1, 3);
update millennium.person set name_last = 'Pfannenstielke', name_full_formatted = 'Pfannenstielke, Philomenka' where person_id = 107;
insert into millennium.person_name (person_name_id, person_id, name_full, name_first, name_last) values (7, 107, 'Dunwoodeigh, Philomenka', 'Philomenka', 'Dunwoodeigh');
update millennium.clinical_event set event_title_text = 'Progress note of Mrs. Pfannenstielke' where event_id = 3007;
update millennium.ce_blob set blob_contents = pg_temp.ocf('{\rtf1\ansi Corrected: ' || (select family from people where n = 3) || ' ate well and slept.\par}') where event_id = 3003;
delete from millennium.ce_blob where event_id = 3004;
delete from millennium.clinical_event where event_id = 3004;
delete from millennium.diagnosis where diagnosis_id = 5;
