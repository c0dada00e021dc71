create table deid.review_round (
    id        bigint generated always as identity primary key,
    name      text not null unique check (name <> ''),
    kind      text not null check (kind in ('acceptance', 'disagreement', 'doubt', 'quarantine', 'rare')),
    readers   smallint not null default 1 check (readers between 1 and 2),
    sealed    bytea not null,
    drawn_by  text not null check (drawn_by <> ''),
    drawn_at  timestamptz not null default now(),
    closed_at timestamptz
);
comment on table deid.review_round is 'queues of notes that people look at, a draw a row';
comment on column deid.review_round.id is 'number of the round';
comment on column deid.review_round.name is 'what people call it';
comment on column deid.review_round.kind is 'why its notes were chosen; acceptance: at random';
comment on column deid.review_round.readers is 'how many people read each note, none of them seeing what another one found';
comment on column deid.review_round.sealed is 'how it was drawn, sealed with the key: strata with their sizes, seed';
comment on column deid.review_round.drawn_by is 'who drew it';
comment on column deid.review_round.drawn_at is 'when that was';
comment on column deid.review_round.closed_at is 'when it was closed; null: it is open';

create table deid.review_item (
    round       bigint not null references deid.review_round,
    place       bigint not null check (place > 0),
    table_name  text not null,
    column_name text not null,
    row_key     text not null,
    patient     text not null,
    sealed      bytea not null,
    primary key (round, place),
    constraint review_item_note unique (round, table_name, column_name, row_key)
);
create index review_item_patient on deid.review_item (patient);
comment on table deid.review_item is 'notes of the rounds of review; holds no text';
comment on column deid.review_item.round is 'the round';
comment on column deid.review_item.place is 'place in the round, from 1';
comment on column deid.review_item.table_name is 'table, schema.name';
comment on column deid.review_item.column_name is 'text column';
comment on column deid.review_item.row_key is 'published primary key as a JSON array of texts, as in note_provenance';
comment on column deid.review_item.patient is 'pseudonym of the patient';
comment on column deid.review_item.sealed is 'the note''s primary key in the source and the stratum it was drawn from, sealed with the key';

create table deid.review_reading (
    round       bigint not null,
    place       bigint not null,
    reader      text not null check (reader <> ''),
    part        text not null default 'reviewer' check (part in ('reviewer', 'adjudicator')),
    opened_at   timestamptz not null default now(),
    saved_at    timestamptz not null default now(),
    finished_at timestamptz,
    text_hmac   bytea not null default '',
    sealed      bytea not null,
    primary key (round, place, reader),
    foreign key (round, place) references deid.review_item on delete cascade
);
create unique index review_adjudicated on deid.review_reading (round, place) where part = 'adjudicator';
comment on table deid.review_reading is 'what a person decided about a note; holds no text';
comment on column deid.review_reading.round is 'the round';
comment on column deid.review_reading.place is 'the note''s place in it';
comment on column deid.review_reading.reader is 'who read it';
comment on column deid.review_reading.part is 'adjudicator: settles what two reviewers decided differently';
comment on column deid.review_reading.opened_at is 'when it was first opened';
comment on column deid.review_reading.saved_at is 'when something was last decided';
comment on column deid.review_reading.finished_at is 'when the reader was done with it; null: not yet';
comment on column deid.review_reading.text_hmac is 'keyed hash of the text that was read';
comment on column deid.review_reading.sealed is 'the decisions, sealed with the key: ranges, types, verdicts, keyed hashes of the words';

create table deid.review_view (
    id        bigint generated always as identity primary key,
    reader    text not null check (reader <> ''),
    round     bigint not null references deid.review_round,
    place     bigint not null,
    outcome   text not null check (outcome in ('shown', 'refused', 'gone', 'failed')),
    opened_at timestamptz not null default now(),
    left_at   timestamptz not null default now()
);
create index review_view_item on deid.review_view (round, place);
comment on table deid.review_view is 'who was shown which note of the source, when and for how long';
comment on column deid.review_view.id is 'number of the entry';
comment on column deid.review_view.reader is 'who it was';
comment on column deid.review_view.round is 'the round in which it was opened';
comment on column deid.review_view.place is 'the note''s place in it, where review_item has its pseudonym; after a purge of the patient it has none';
comment on column deid.review_view.outcome is 'shown; refused by the source to the reader''s role; gone from the source; failed';
comment on column deid.review_view.opened_at is 'when it was opened';
comment on column deid.review_view.left_at is 'when the reader''s browser last said that it shows the note';

grant select, insert, delete on deid.review_item to pgdeid_service;
grant select, insert, update on deid.review_reading, deid.review_view to pgdeid_service;
grant select, insert on deid.review_round to pgdeid_service;
grant update (closed_at) on deid.review_round to pgdeid_service;
