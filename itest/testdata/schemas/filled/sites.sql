-- A system of several sites, at each of which patients, visits and notes have numbers of their own; and columns that hold many values.
create table patient ( -- patient: site,mrn
	site smallint, -- pseudonym|keep
	mrn varchar(8), -- pseudonym mrn
	family_name varchar(40), -- surrogate|drop name.last
	maiden_names varchar(80), -- drop|surrogate name.alias
	reach varchar(120), -- drop|surrogate phone
	mail varchar(120), -- drop|surrogate email
	seen_on varchar(80), -- date_shift|drop
	primary key (site, mrn)
);
create table visit ( -- patient: site,mrn
	site integer, -- pseudonym|keep
	visit_no numeric(10,0), -- pseudonym
	mrn varchar(8), -- pseudonym
	began date, -- date_shift
	primary key (site, visit_no)
);
create table transfer ( -- patient: from_site,from_mrn
	transfer_id uuid primary key, -- pseudonym
	from_mrn varchar(8), -- pseudonym
	from_site smallint, -- pseudonym|keep
	on_day date, -- date_shift
	foreign key (from_mrn, from_site) references patient (mrn, site)
);
create table note_line ( -- patient: site,visit_no via visit
	site integer, -- pseudonym|keep
	note_no bigint, -- pseudonym
	line integer, -- keep
	visit_no numeric(10,0), -- pseudonym
	words varchar(60), -- text
	primary key (site, note_no, line)
);
create table bill ( -- patient: at,stay via visit
	bill_id bigint primary key, -- pseudonym
	at integer, -- pseudonym|keep
	stay numeric(10,0), -- pseudonym
	foreign key (at, stay) references visit (site, visit_no)
);
create table objections ( -- patient: site,mrn
	objection_id bigint primary key, -- pseudonym
	site integer, -- pseudonym|keep
	mrn varchar(8) -- pseudonym
);
create table patient_merge ( -- patient: site,mrn
	merge_id bigint primary key, -- pseudonym
	old_site smallint, -- pseudonym|keep|drop
	old_mrn varchar(8), -- pseudonym|drop mrn
	site smallint, -- pseudonym|keep
	mrn varchar(8) -- pseudonym
);
alter table patient add unique (mrn, site);
create unique index on visit (visit_no, site);
create index on note_line (site, visit_no);
create index on bill (at, stay);
create index on visit (site, mrn);
create index on transfer (from_site, from_mrn);
create index on objections (site, mrn);
create index on patient_merge (site, mrn);
insert into patient select 1 + n % 2, 'PM-' || n, 'Planted' || chr(65 + n % 9), case when n % 7 = 0 then 'Plantedborn; Plantedwed' else 'Plantedborn' end,
	case when n % 3 = 0 then '617-555-0100; 617-555-0111' else '617-555-0122' end, 'planted@example.org' || case when n % 2 = 0 then ', planted2@example.org' else '' end,
	case when n % 4 = 0 then '2024-03-02|2024-03-05' else '2024-03-07' end from generate_series(1, 40) n;
insert into visit select 1 + n % 2, n, 'PM-' || n, '2024-03-02' from generate_series(1, 40) n;
insert into transfer select md5(n::text)::uuid, 'PM-' || n, 1 + n % 2, '2024-03-02' from generate_series(1, 20) n;
insert into note_line select 1 + n % 2, 1000 + n, line, n, 'Planted' || chr(65 + n % 9) || ' came on 3/2/2024 and was seen by all of us' from generate_series(1, 40) n, generate_series(1, 3) line;
insert into bill select n, 1 + n % 2, n from generate_series(1, 40) n;
