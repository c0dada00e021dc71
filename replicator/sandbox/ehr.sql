-- The schema of the demo's EHR: what a hospital's database looks like to those who
-- report from it. Whatever the mapping does not name must never leave it: the columns
-- internal_comment and chart_flag, and the table front_desk_log, are there to show that.
create schema ehr;

create table ehr.site (
    site_id      integer primary key,
    name         text not null,
    short_name   text not null,
    abbreviation text not null,
    street       text not null,
    city         text not null,
    state        text not null,
    zip          text not null,
    phone        text not null,
    fax          text not null,
    has_beds     boolean not null
);

create table ehr.provider (
    provider_id integer primary key,
    site_id     integer not null references ehr.site,
    full_name   text not null,
    sex         text not null,
    credential  text not null,
    specialty   text not null,
    login       text not null unique,
    pager       text not null,
    phone       text not null,
    email       text not null,
    npi         text not null
);

create table ehr.patient (
    patient_id       bigint primary key,
    mrn              text not null unique,
    ssn              text not null,
    first_name       text not null,
    middle_name      text,
    last_name        text not null,
    suffix           text,
    sex              text not null,
    birth_date       date not null,
    race             text not null,
    language         text not null,
    marital_status   text not null,
    occupation       text not null,
    employer         text not null,
    home_phone       text not null,
    mobile_phone     text not null,
    email            text,
    account_no       text not null,
    driver_license   text not null,
    plate            text not null,
    implant_serial   text,
    pcp_id           integer not null references ehr.provider,
    home_site_id     integer not null references ehr.site,
    internal_comment text not null
);

create table ehr.patient_alias (
    alias_id   bigint primary key,
    patient_id bigint not null references ehr.patient,
    first_name text not null,
    last_name  text not null
);

create table ehr.address (
    address_id bigint primary key,
    patient_id bigint not null references ehr.patient,
    is_current boolean not null,
    street     text not null,
    city       text not null,
    state      text not null,
    zip        text not null
);

create table ehr.contact (
    contact_id bigint primary key,
    patient_id bigint not null references ehr.patient,
    relation   text not null,
    full_name  text not null,
    phone      text not null
);

create table ehr.insurance (
    insurance_id bigint primary key,
    patient_id   bigint not null references ehr.patient,
    payer        text not null,
    member_id    text not null,
    group_no     text not null
);

create table ehr.encounter (
    encounter_id bigint primary key,
    patient_id   bigint not null references ehr.patient,
    provider_id  integer not null references ehr.provider,
    site_id      integer not null references ehr.site,
    class        text not null,
    started_at   timestamp not null,
    ended_at     timestamp not null,
    reason       text not null
);

create table ehr.lab_result (
    lab_id       bigint primary key,
    encounter_id bigint not null references ehr.encounter,
    test         text not null,
    value        numeric not null,
    taken_at     timestamp not null
);

create table ehr.note (
    note_id      bigint primary key,
    patient_id   bigint not null references ehr.patient,
    encounter_id bigint not null references ehr.encounter,
    author_id    integer not null references ehr.provider,
    note_type    text not null,
    written_at   timestamp not null,
    title        text not null,
    body         text not null,
    chart_flag   text not null
);

create table ehr.front_desk_log (
    entry_id   bigint primary key,
    patient_id bigint not null references ehr.patient,
    said       text not null
);

create index on ehr.patient_alias (patient_id);
create index on ehr.address (patient_id);
create index on ehr.contact (patient_id);
create index on ehr.insurance (patient_id);
create index on ehr.encounter (patient_id);
create index on ehr.lab_result (encounter_id);
create index on ehr.note (patient_id);
