create table deid.review_repair (
    id          bigint generated always as identity primary key,
    scope       text not null check (scope in ('here', 'everywhere')),
    table_name  text not null,
    column_name text not null,
    row_key     text not null,
    note_hmac   bytea not null,
    patient     text not null,
    made_by     text not null check (made_by <> ''),
    void        boolean not null default false,
    taken_by    text,
    sealed      bytea not null
);
create index review_repair_patient on deid.review_repair (patient) where taken_by is null;
create index review_repair_note on deid.review_repair (table_name, row_key) where taken_by is null;
comment on table deid.review_repair is 'what people had changed of what is published: at one place of a note, or words that are a patient''s; holds no text';
comment on column deid.review_repair.id is 'number of the repair';
comment on column deid.review_repair.scope is 'here: one place of one note; everywhere: words in all notes of the patient';
comment on column deid.review_repair.table_name is 'table of the note that was read, schema.name';
comment on column deid.review_repair.column_name is 'text column';
comment on column deid.review_repair.row_key is 'published primary key as a JSON array of texts, as in note_provenance';
comment on column deid.review_repair.note_hmac is 'keyed hash of the note''s primary key in the source';
comment on column deid.review_repair.patient is 'pseudonym of the patient';
comment on column deid.review_repair.made_by is 'who made it';
comment on column deid.review_repair.void is 'whether it has no effect, as the note''s text has changed';
comment on column deid.review_repair.taken_by is 'who took it back; null: it counts';
comment on column deid.review_repair.sealed is 'range, type, verdict, keyed hashes of the words, and when it was made and taken back, sealed with the key';

alter table deid.review_round drop constraint review_round_kind_check;
alter table deid.review_round add constraint review_round_kind_check
    check (kind in ('acceptance', 'disagreement', 'doubt', 'quarantine', 'rare', 'cluster'));

create table deid.review_member (
    round       bigint not null,
    place       bigint not null,
    member      smallint not null check (member >= 0),
    table_name  text not null,
    column_name text not null,
    row_key     text not null,
    patient     text not null,
    sealed      bytea not null,
    primary key (round, place, member),
    foreign key (round, place) references deid.review_item on delete cascade
);
create index review_member_patient on deid.review_member (patient);
comment on table deid.review_member is 'sentences that are alike, in rounds of clusters; holds no text';
comment on column deid.review_member.round is 'the round';
comment on column deid.review_member.place is 'place of the note whose sentence leads the cluster';
comment on column deid.review_member.member is 'number in the cluster; 0: the sentence that leads it';
comment on column deid.review_member.table_name is 'table of the note that the sentence is in, schema.name';
comment on column deid.review_member.column_name is 'text column';
comment on column deid.review_member.row_key is 'published primary key as a JSON array of texts, as in note_provenance';
comment on column deid.review_member.patient is 'pseudonym of the patient';
comment on column deid.review_member.sealed is 'the note''s primary key in the source, and range and keyed hash of the sentence, sealed with the key';

alter table deid.review_view add column member smallint not null default 0;
comment on column deid.review_view.member is 'which note of a cluster it was, where review_member has its pseudonym; 0: the one at the place itself';

grant select, insert, delete on deid.review_member to pgdeid_service;
grant select, insert, delete on deid.review_repair to pgdeid_service;
grant update (void, taken_by, sealed) on deid.review_repair to pgdeid_service;
