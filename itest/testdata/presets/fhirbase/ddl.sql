-- Tables of resources as Aidbox and fhirbase make them: one form for every type.
create type resource_status as enum ('created', 'updated', 'deleted', 'recreated');
create table patient (id text primary key, txid bigint not null, cts timestamptz default now(), ts timestamptz default now(), resource_type text default 'Patient',
	status resource_status not null default 'created', resource jsonb not null);
create table encounter (like patient including all);
create table observation (like patient including all);
create table condition (like patient including all);
create table medicationrequest (like patient including all);
create table diagnosticreport (like patient including all);
create table documentreference (like patient including all);
create table practitioner (like patient including all);
create table organization (like patient including all);
