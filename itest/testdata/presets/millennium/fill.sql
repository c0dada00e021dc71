-- A blob in OCF: codes of 9 bits, each for a byte, and a code that clears the table before they would grow.
create function pg_temp.ocf(doc text) returns bytea language sql as $$
	select decode(string_agg(lpad(to_hex(substr(codes, 8 * i + 1, 8)::bit(8)::integer), 2, '0'), '' order by i), 'hex') || '\x0000'::bytea || 'ocf_blob'::bytea || '\x00'::bytea
	from (select rpad(bits, (length(bits) + 7) / 8 * 8, '0') as codes
		from (select string_agg(case when n % 200 = 0 then '100000000' else '' end || ascii(c)::bit(9)::text, '' order by n) || '100000001' as bits
			from regexp_split_to_table(doc, '') with ordinality as letters (c, n)) b) c, generate_series(0, length(codes) / 8 - 1) i $$;
insert into millennium.organization values (900, 'Larkenmoor Infirmary', 'LARKENMOORINFIRMARY', '04-7719280', 1);
insert into millennium.prsnl values (70, 'Hartsbottom, Gwendolara MD', 'Hartsbottom', 'Gwendolara', 'GHARTSBO', 'gh@larkenmoor.example', 441, 1, 1);
insert into millennium.person (person_id, name_last_key, name_first_key, name_full_formatted, name_last, name_first, name_middle, mother_maiden_name, birth_dt_tm, abs_birth_dt_tm, sex_cd, active_ind)
	select 100 + n, upper(family), upper(given), family || ', ' || given || ' ' || middle, family, given, middle, split_part(kin, ' ', 1), born, born, 362, 1 from people where n <= 10;
insert into millennium.person_name (person_name_id, person_id, name_type_cd, name_full, name_first, name_last, end_effective_dt_tm, active_ind)
	select n, 100 + n, 766, 'Stonebarrow, ' || given, given, 'Stonebarrow', timestamp '2100-12-31', 1 from people where n <= 3;
insert into millennium.person_alias (person_alias_id, person_id, alias, person_alias_type_cd, end_effective_dt_tm)
	select n, 100 + n, mrn, 10, timestamp '2100-12-31' from people where n <= 10 union all select 50 + n, 100 + n, replace(ssn, '-', ''), 18, timestamp '2100-12-31' from people where n <= 10;
insert into millennium.address (address_id, parent_entity_name, parent_entity_id, street_addr, city, state, zipcode)
	select n, 'PERSON', 100 + n, street, city, state, zip from people where n <= 10 union all select 90, 'ORGANIZATION', 900, '1 Larkenmoor Quay', 'Wexcombe', 'MA', '02139';
insert into millennium.phone (phone_id, parent_entity_name, parent_entity_id, phone_num) select n, 'PERSON', 100 + n, phone from people where n <= 10;
insert into millennium.encounter (encntr_id, person_id, reg_dt_tm, arrive_dt_tm, disch_dt_tm, encntr_type_cd, reason_for_visit, loc_nurse_unit_cd, organization_id, active_ind)
	select 500 + n, 100 + n, '2024-03-01 08:00'::timestamp + n * interval '1 day', '2024-03-01 07:30'::timestamp + n * interval '1 day',
		'2024-03-04 10:00'::timestamp + n * interval '1 day', 309308, 'sent by Dr. Hartsbottom, ' || split_part(kin, ' ', 1) || ' came along', 4711, 900, 1 from people where n <= 10;
insert into millennium.encntr_alias select n, 500 + n, '9000' || mrn, 1077, 1 from people where n <= 10;
insert into millennium.encntr_prsnl_reltn select n, 500 + n, 70, 1119, 'Gwendolara Hartsbottom', timestamp '2100-12-31', 1 from people where n <= 10;
insert into millennium.clinical_event (clinical_event_id, event_id, person_id, encntr_id, parent_event_id, event_cd, event_title_text, event_tag, event_end_dt_tm, performed_dt_tm,
	performed_prsnl_id, result_val, accession_nbr, reference_nbr, valid_until_dt_tm)
	select 2000 + n, 3000 + n, 100 + n, 500 + n, 3000 + n, 2820507, 'Progress note of ' || family, 'seen by Hartsbottom', timestamp '2024-03-02', timestamp '2024-03-02', 70,
		null, 'ACC' || mrn, 'REF' || mrn, timestamp '2100-12-31' from people where n <= 10
	union all select 2100 + n, 3100 + n, 100 + n, 500 + n, 3000 + n, 703501, null, null, timestamp '2024-03-02', timestamp '2024-03-02', 70, '131', null, null, timestamp '2100-12-31' from people where n <= 10;
-- Compressed RTF and HTML, in which markup cuts the name, and plain text that is not compressed.
insert into millennium.ce_blob (event_id, blob_seq_num, blob_length, compression_cd, blob_contents, valid_until_dt_tm)
	select 3000 + n, 1, length(says), case when n % 3 = 0 then 727 else 728 end,
		case n % 3 when 0 then convert_to(replace(says, kin || ' called', 'A daughter called') || 'ocf_blob', 'UTF8')
			when 1 then pg_temp.ocf('{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}}\pard\f0\fs20 ' || replace(replace(says, kin || ' called', 'A daughter called'), family,
				left(family, 3) || '{\b ' || substr(family, 4) || '}') || '\par}')
			else pg_temp.ocf('<html><head><title>' || family || '</title></head><body><p>' || replace(replace(says, kin || ' called', 'A daughter called'), family,
				left(family, 3) || '<b>' || substr(family, 4) || '</b>') || '</p></body></html>') end, timestamp '2100-12-31'
	from people where n <= 10;
-- Long documents: compressed as a whole, with a marker behind each piece; and each piece by itself, cut in the name.
insert into millennium.clinical_event (clinical_event_id, event_id, person_id, encntr_id, event_end_dt_tm) values (2201, 3201, 101, 501, '2024-03-02'), (2202, 3202, 102, 502, '2024-03-02');
create function pg_temp.page(n integer) returns text language sql as $$
	select '{\rtf1\ansi Seen: ' || left(family, 3) || '{\b ' || substr(family, 4) || '}, MRN ' || mrn || '. ' || repeat('Lungs clear, heart regular. ', 20) || family || ' ate and slept.\par}'
	from people p where p.n = page.n $$;
create function pg_temp.pieces(blob bytea) returns table (seq integer, piece bytea) language sql as $$
	select i, substr(data, 200 * i - 199, 200) || 'ocf_blob'::bytea from (select substr(blob, 1, length(blob) - 11) as data) b, generate_series(1, (length(data) + 199) / 200) i $$;
insert into millennium.ce_blob (event_id, blob_seq_num, compression_cd, blob_contents, valid_until_dt_tm)
	select 3201, seq, 728, piece, timestamp '2100-12-31' from pg_temp.pieces(pg_temp.ocf(pg_temp.page(1)))
	union all select 3202, 1, 728, pg_temp.ocf(split_part(pg_temp.page(2), '{\b', 1) || '{\b'), '2100-12-31'
	union all select 3202, 2, 728, pg_temp.ocf(split_part(pg_temp.page(2), '{\b', 2)), '2100-12-31';
insert into millennium.diagnosis (diagnosis_id, person_id, encntr_id, nomenclature_id, diag_dt_tm, diagnosis_display, diag_ftdesc, diag_prsnl_name, active_ind)
	select n, 100 + n, 500 + n, 88, '2024-03-02', 'Cough', 'as ' || given || ' ' || family || ' says', 'Hartsbottom, Gwendolara MD', 1 from people where n <= 10;
insert into millennium.problem (problem_instance_id, problem_id, person_id, nomenclature_id, annotated_display, onset_dt_tm, active_ind)
	select n, n, 100 + n, 88, 'Cough of ' || family, '2024-02-01', 1 from people where n <= 10;
