-- A hospital system of the German kind: German names, numbers as keys, dates as text.
create table patient ( -- patient: patient_nr
	patient_nr bigint primary key, -- pseudonym
	nachname varchar(80), -- surrogate|drop name.last
	vorname varchar(80), -- surrogate|drop name.first
	geburtsname varchar(80), -- surrogate|drop name.alias|name.last
	geburtsdatum varchar(10), -- year|date_shift|drop birth_date
	geschlecht char(1), -- keep|drop
	strasse varchar(120), -- drop|surrogate street
	plz varchar(5), -- drop zip
	ort varchar(80), -- drop|surrogate city
	telefon varchar(30), -- drop|surrogate phone
	krankenkasse varchar(80), -- drop
	versichertennummer varchar(20), -- drop health_plan|id
	verstorben boolean -- keep|drop
);
create table fall ( -- patient: patient_nr
	fall_nr bigint primary key, -- pseudonym
	patient_nr bigint references patient, -- pseudonym
	aufnahme timestamp, -- date_shift
	entlassung timestamp, -- date_shift
	fallart varchar(10), -- keep|drop
	hausarzt varchar(120), -- drop provider.name
	alter_jahre integer, -- age_cap|drop
	gewicht numeric(5,1) -- keep|drop
);
create table befund ( -- patient: fall_nr via fall
	befund_id bigint primary key, -- pseudonym
	fall_nr bigint references fall, -- pseudonym
	befunddatum date, -- date_shift
	befundtext text, -- text
	arzt_kuerzel varchar(10), -- drop
	freigegeben boolean, -- keep|drop
	bemerkung varchar(400) -- text|drop
);
create table mitarbeiter ( -- patient: none
	mitarbeiter_id bigint primary key, -- pseudonym|keep|drop
	nachname varchar(80), -- drop provider.name
	vorname varchar(80), -- drop provider.name
	kuerzel varchar(10) -- drop
);
