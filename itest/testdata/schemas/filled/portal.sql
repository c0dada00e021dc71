-- A portal: letters in every format, notes in lines, names that no column's name gives away.
create table patient ( -- patient: patient_id
	patient_id integer primary key, -- pseudonym
	shown_as varchar(80), -- surrogate|drop name.full
	reach varchar(80), -- drop email
	c7 varchar(80), -- drop|surrogate name.last
	c8 varchar(80) -- drop
);
create table letter ( -- patient: patient_id
	letter_id bigint primary key, -- pseudonym
	patient_id integer references patient, -- pseudonym
	as_rtf text, -- text
	as_html text, -- text
	as_either text, -- text
	as_coded text, -- text
	as_bytes bytea, -- text
	as_blob bytea, -- text
	as_picture bytea, -- drop
	as_json text, -- drop
	as_xml text, -- drop
	as_hash varchar(64) -- drop
);
create table remark_line ( -- patient: remark_id via remark
	remark_id integer, -- pseudonym
	line integer, -- keep
	words varchar(50), -- text
	primary key (remark_id, line)
);
create table remark ( -- patient: patient_id
	remark_id integer primary key, -- pseudonym
	patient_id integer references patient -- pseudonym
);
create table opt_out ( -- patient: patient_id
	patient_id integer primary key references patient, -- pseudonym
	since date -- date_shift
);
create table patient_merge ( -- patient: none
	merge_id integer primary key, -- pseudonym|keep|drop
	from_patient_id integer, -- pseudonym|drop
	into_patient_id integer -- pseudonym|drop
);
alter table remark_line add foreign key (remark_id) references remark;
comment on column patient.c7 is 'the family name';
comment on column patient.c8 is 'confidential';
insert into patient select n, 'PLANTED,ANN ' || chr(65 + n % 26), 'planted' || n || '@example.org', 'Planted', 'x' from generate_series(1, 20000) n;
analyze patient;
insert into letter select n, n, '{\rtf1\ansi Planted was seen ' || n || ' times.\par}', '<html><body><p>Planted was seen.</p></body></html>',
	case n % 2 when 0 then '{\rtf1\ansi Planted was seen.\par}' else 'Planted was seen and examined today, and went home again.' end,
	encode(convert_to('<html><body><p>Planted was seen and went home, with her daughter.</p></body></html>', 'UTF8'), 'base64'),
	'<html><body><p>Planted was seen.</p></body></html>'::bytea, 'Planted was seen and examined today.ocf_blob'::bytea, '\x89504e470d0a1a0a00ff'::bytea,
	'{"name": "Planted", "text": "was seen and examined today"}', '<?xml version="1.0"?><note><to>Planted</to></note>', md5(n::text) || md5(n::text)
	from generate_series(1, 40) n;
insert into remark select n, n from generate_series(1, 40) n;
insert into remark_line select n, l, 'Planted was seen and examined by Planted today, wh' from generate_series(1, 40) n, generate_series(1, 1 + n % 4) l;
insert into opt_out select n, '2024-01-01' from generate_series(1, 5) n;
insert into patient_merge select n, n, n + 1 from generate_series(1, 5) n;
