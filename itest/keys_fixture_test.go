package itest

// western is an EHR whose tables have every kind of key, and values of many types.
const western = `
create schema "Ehr West";
create type "Ehr West".urgency as enum ('low', 'High');
create domain "Ehr West".code as varchar(12) check (value <> '');
create domain "Ehr West".day as date;
create table "Ehr West"."Patient" (
	pat_id numeric(18,0) primary key, "Full Name" text, mrn char(10) not null unique, born date, died "Ehr West".day,
	twice smallint generated always as (7) stored, id int generated always as identity);
create table "Ehr West".contact (
	pat_id smallint primary key, phones text, aliases text[], accounts "Ehr West".code[], days date[], urgencies "Ehr West".urgency[], ids bigint[],
	called varchar(8), ymd int);
create table "Ehr West".encounter (
	enc_id numeric primary key, pat_id numeric(18,0) not null, site smallint, ward char(4), state "Ehr West".urgency, tags text[],
	began timestamptz, ended timestamp, code "Ehr West".code);
create table "Ehr West".note_info (note_id varchar(18) primary key, enc_id numeric(18,0));
create table "Ehr West".note_line (note_id varchar(18), line smallint, body varchar(1950), primary key (note_id, line));
create table "Ehr West".result (result_id uuid, mrn char(10) not null, value numeric(10,2), body text);
create unique index result_key on "Ehr West".result (result_id);
alter table "Ehr West".result alter result_id set not null, replica identity using index result_key;
create table "Ehr West".image (image_id text, slice smallint, mrn text, comment text, primary key (slice, image_id));
create table "Ehr West".note (
	note_id bigint, pat_id int not null, written date, "Body" text, primary key (note_id, written)) partition by range (written);
create table "Ehr West".note_2020 partition of "Ehr West".note for values from ('2020-01-01') to ('2021-01-01');
create table "Ehr West".note_2021 partition of "Ehr West".note for values from ('2021-01-01') to ('2022-01-01') partition by range (written);
create table "Ehr West".note_2021_h1 partition of "Ehr West".note_2021 for values from ('2021-01-01') to ('2021-07-01');
create table "Ehr West".note_2021_h2 partition of "Ehr West".note_2021 for values from ('2021-07-01') to ('2022-01-01');
alter table "Ehr West".note alter "Body" set storage external;
create table "Ehr West".event (
	pat_id bigint, at timestamp, kind char(3), what text, primary key (at, pat_id, kind)) partition by list (kind);
create table "Ehr West".event_any partition of "Ehr West".event default;`

const westernTables = `
patient_key: integer
tables:
  Ehr West.Patient:
    patient: pat_id
    columns:
      pat_id: pseudonym
      Full Name: {tells: name.full, publish: surrogate}
      mrn: {tells: mrn, publish: pseudonym}
      born: {tells: birth_date, publish: date_shift}
      died: date_shift
      id: drop
  Ehr West.contact:
    patient: pat_id
    columns:
      pat_id: pseudonym
      phones: {tells: phone, publish: surrogate, separator: ";"}
      aliases: {tells: name.alias, publish: surrogate}
      accounts: {tells: account, publish: pseudonym}
      days: date_shift
      urgencies: keep
      ids: {publish: pseudonym, domain: pat_ids}
      called: {publish: date_shift, layout: ddmmyyyy}
      ymd: date_shift
  Ehr West.encounter:
    patient: pat_id
    columns: {enc_id: pseudonym, pat_id: pseudonym, site: {publish: pseudonym}, ward: keep, state: keep, tags: keep, began: date_shift, ended: date_shift, code: keep}
  Ehr West.note_info:
    patient: {column: enc_id, table: Ehr West.encounter}
    columns: {note_id: pseudonym, enc_id: pseudonym}
  Ehr West.note_line:
    patient: {column: note_id, table: Ehr West.note_info}
    columns: {note_id: pseudonym, line: keep, body: text}
  Ehr West.result:
    patient: {column: mrn, table: Ehr West.Patient}
    columns: {result_id: pseudonym, mrn: pseudonym, value: keep, body: text}
  Ehr West.image:
    patient: {column: mrn, table: Ehr West.Patient}
    columns: {image_id: pseudonym, slice: pseudonym, mrn: pseudonym, comment: text}
  Ehr West.note:
    patient: pat_id
    columns: {note_id: {publish: pseudonym, domain: progress_note}, pat_id: pseudonym, written: date_shift, Body: text}
  Ehr West.event:
    patient: pat_id
    columns: {pat_id: pseudonym, at: date_shift, kind: keep, what: text}
`

// westernRows are there when the copy begins.
const westernRows = `
insert into "Ehr West"."Patient" (pat_id, "Full Name", mrn, born, died) values
	(1, 'QUARKSTEIN,ZEBULON M', 'M-17', '1950-02-03', null), (20000000001, 'Ottilie Dampfler', 'M-18', '1961-05-06', 'infinity');
insert into "Ehr West".contact values
	(1, '617-555-0111; 617-555-0122', '{Waldgeist,Nachtigall}', '{AC-471100,AC-471101}', '{2021-01-01,2021-02-01,null}', '{low,High}', '{1,7,1}', '03022021', 20210203),
	(2, null, null, null, null, null, null, '20210203', 20219999);
insert into "Ehr West".encounter values
	(7, 1, 1, 'W1', 'High', '{A,"b c",null}', 'infinity', '0044-03-15 12:00 BC', 'X1'),
	(8.0, 20000000001, 2, 'W12', 'low', null, '2021-03-04 10:00+02', '294276-12-31 23:59:59', 'X2'), (9, 1, 3, 'W', 'low', '{}', '2021-03-04 10:00', '2021-03-05', 'X3');
insert into "Ehr West".note_info values ('N1', 7), ('N2', 8);
insert into "Ehr West".note_line values ('N1', 1, 'Mr. Quarkstein came.'), ('N1', 2, 'Zebulon went.'), ('N2', 1, 'Dampfler slept.');
insert into "Ehr West".result values ('0b8cae0e-0000-4000-8000-00000000000a', 'M-17', 1.50, 'Quarkstein: sodium low.');
insert into "Ehr West".image values ('I', 1, 'M-17', 'Zebulon, supine.'), ('I', 2, 'M-18', 'Ottilie, prone.');
insert into "Ehr West".note values
	(100, 1, '2020-05-05', 'Quarkstein on 05/05/2020.'), (101, 1, '2021-02-02', 'Zebulon Quarkstein.'), (100, 1, '2021-08-08', repeat('Quarkstein. ', 400));
insert into "Ehr West".event values (1, '2020-05-05 10:00', 'adm', 'Quarkstein came'), (20000000001, '2020-05-05 10:00', 'a', 'Dampfler came');`

// westernChanges come while the stream runs.
const westernChanges = `
update "Ehr West".encounter set ward = 'W2', pat_id = 20000000001 where enc_id = 7;
update "Ehr West".encounter set pat_id = 1 where enc_id = 7;
update "Ehr West".contact set accounts = '{AC-471101}';
insert into "Ehr West".note values (104, 1, '2021-10-10', 'Called 617-555-0122 for Nachtigall, formerly Waldgeist, account AC-471101.');
update "Ehr West".note_line set line = 3 where note_id = 'N1' and line = 2;
update "Ehr West".note_line set body = 'Zebulon came back.' where note_id = 'N1' and line = 1;
delete from "Ehr West".note_line where note_id = 'N2';
insert into "Ehr West".note_line values ('N2', 7, 'Ottilie Dampfler woke.');
update "Ehr West".result set result_id = '0b8cae0e-0000-4000-8000-00000000000b' where mrn = 'M-17';
insert into "Ehr West".result values ('0b8cae0e-0000-4000-8000-00000000000c', 'M-18', 2, 'Dampfler: sodium high.');
update "Ehr West".result set body = 'Dampfler again.' where mrn = 'M-18';
insert into "Ehr West".image values ('I', 3, 'M-18', 'Dampfler, lateral.');
delete from "Ehr West".image where slice = 1;
update "Ehr West".image set image_id = 'J' where slice = 2;
update "Ehr West".note set written = '2021-03-03' where note_id = 100 and written = '2021-08-08';
update "Ehr West".note set written = '2020-06-06' where note_id = 101;
delete from "Ehr West".note where note_id = 100 and written = '2020-05-05';
insert into "Ehr West".note values (102, 1, '2021-09-09', 'Mr. Quarkstein on 09/09/2021.');
update "Ehr West".event set kind = 'dis' where kind = 'adm';
insert into "Ehr West".event values (1, '2021-05-05 11:00', 'adm', 'Zebulon came');
create table "Ehr West".note_2022 partition of "Ehr West".note for values from ('2022-01-01') to ('2023-01-01');
insert into "Ehr West".note values (103, 1, '2022-02-02', 'Quarkstein in a partition made since.');`

// westernAttached is a partition that comes with rows of its own, and one that goes with its rows.
const westernAttached = `
create table "Ehr West".note_2019 (like "Ehr West".note including all);
insert into "Ehr West".note_2019 values (90, 1, '2019-01-01', 'Zebulon Quarkstein came with his partition.');
alter table "Ehr West".note attach partition "Ehr West".note_2019 for values from ('2019-01-01') to ('2020-01-01');
alter table "Ehr West".note detach partition "Ehr West".note_2020;`

// westernMarks must be nowhere in the replica.
var westernMarks = []string{"uarkstein", "UARKSTEIN", "ebulon", "EBULON", "ttilie", "ampfler", "aldgeist", "achtigall", "471101", "555-0122", "M-17", "M-18", "0b8cae0e-0000"}

// network is an EHR of several sites, at each of which patients, visits and notes have numbers of their own.
const network = `
create schema ehr;
create table ehr.patient (site smallint, mrn char(8), family text, primary key (site, mrn));
create table ehr.visit (site int, visit_no numeric(10,0), mrn varchar(20), started date, primary key (site, visit_no));
create table ehr.note (site int, visit_no bigint, note_no int, body text, primary key (site, note_no));
create table ehr.letter (letter_id uuid primary key, site int, mrn text, body text);`

const networkTables = `
patient_key: text
tables:
  ehr.patient:
    patient: [site, mrn]
    columns: {site: keep, mrn: pseudonym, family: {tells: name.last, publish: surrogate}}
  ehr.visit:
    patient: [site, mrn]
    columns: {site: keep, visit_no: pseudonym, mrn: pseudonym, started: date_shift}
  ehr.note:
    patient: {column: [site, visit_no], table: ehr.visit}
    columns: {site: keep, visit_no: pseudonym, note_no: pseudonym, body: text}
  ehr.letter:
    patient: [site, mrn]
    columns: {letter_id: pseudonym, site: keep, mrn: pseudonym, body: text}
`

const networkRows = `
insert into ehr.patient values (1, 'M-1', 'Quarkstein'), (2, 'M-1', 'Dampfler'), (1, 'M-2', 'Ostrowe');
insert into ehr.visit values (1, 7, 'M-1', '2021-01-01'), (2, 7, 'M-1', '2021-01-01'), (1, 8, 'M-2', '2021-01-01');
insert into ehr.note values (1, 7, 1, 'Quarkstein came.'), (2, 7, 1, 'Dampfler came.'), (1, 8, 2, 'Ostrowe came.');
insert into ehr.letter values ('0b8cae0e-0000-4000-8000-00000000000a', 2, 'M-1', 'Dear Dampfler,');`

// networkChanges move a visit to another patient of its site, change keys and names, and bring a note before its visit.
const networkChanges = `
update ehr.visit set mrn = 'M-2' where site = 1 and visit_no = 7;
update ehr.patient set family = 'Brzezicki' where site = 2 and mrn = 'M-1';
insert into ehr.letter values ('0b8cae0e-0000-4000-8000-00000000000b', 2, 'M-1', 'Dear Brzezicki, once Dampfler,');
insert into ehr.note values (2, 9, 5, 'Jablonski came.');
insert into ehr.patient values (2, 'M-3', 'Jablonski');
insert into ehr.visit values (2, 9, 'M-3', '2021-01-01');
update ehr.note set note_no = 6 where site = 1 and note_no = 2;
delete from ehr.note where site = 2 and note_no = 1;`

// networkMarks must be nowhere in the replica.
var networkMarks = []string{"uarkstein", "ampfler", "strowe", "rzezicki", "ablonski", "M-1", "M-2", "M-3", "0b8cae0e-0000"}
