-- Tables of resources as Medplum makes them: content is the resource as text; what queries search for is in columns of its own, some of which are here.
create table "Patient" (id uuid primary key, content text not null, "lastUpdated" timestamptz not null, deleted boolean not null default false, compartments uuid[] not null,
	"projectId" uuid, __version integer, birthdate date, gender text, name text[], "phoneToken" text[]);
create table "Encounter" (id uuid primary key, content text not null, "lastUpdated" timestamptz not null, deleted boolean not null default false, compartments uuid[] not null,
	"projectId" uuid, __version integer, subject text, patient text);
create table "Observation" (id uuid primary key, content text not null, "lastUpdated" timestamptz not null, deleted boolean not null default false, compartments uuid[] not null,
	"projectId" uuid, __version integer, subject text, patient text);
create table "Condition" (id uuid primary key, content text not null, "lastUpdated" timestamptz not null, deleted boolean not null default false, compartments uuid[] not null,
	"projectId" uuid, __version integer, subject text, patient text);
create table "MedicationRequest" (id uuid primary key, content text not null, "lastUpdated" timestamptz not null, deleted boolean not null default false, compartments uuid[] not null,
	"projectId" uuid, __version integer, subject text, patient text);
create table "DiagnosticReport" (id uuid primary key, content text not null, "lastUpdated" timestamptz not null, deleted boolean not null default false, compartments uuid[] not null,
	"projectId" uuid, __version integer, subject text, patient text);
create table "DocumentReference" (id uuid primary key, content text not null, "lastUpdated" timestamptz not null, deleted boolean not null default false, compartments uuid[] not null,
	"projectId" uuid, __version integer, subject text, patient text);
create table "Practitioner" (id uuid primary key, content text not null, "lastUpdated" timestamptz not null, deleted boolean not null default false, compartments uuid[] not null,
	"projectId" uuid, __version integer, name text[]);
create table "Organization" (id uuid primary key, content text not null, "lastUpdated" timestamptz not null, deleted boolean not null default false, compartments uuid[] not null,
	"projectId" uuid, __version integer, name text[]);
create table "Patient_History" ("versionId" uuid primary key, id uuid not null, content text not null, "lastUpdated" timestamptz not null);
create table "Procedure" (id uuid primary key, content text not null, "lastUpdated" timestamptz not null, deleted boolean not null default false, compartments uuid[] not null,
	"projectId" uuid, __version integer, subject text, patient text);
create table "ServiceRequest" (id uuid primary key, content text not null, "lastUpdated" timestamptz not null, deleted boolean not null default false, compartments uuid[] not null,
	"projectId" uuid, __version integer, subject text, patient text);
create table "AllergyIntolerance" (id uuid primary key, content text not null, "lastUpdated" timestamptz not null, deleted boolean not null default false, compartments uuid[] not null,
	"projectId" uuid, __version integer, patient text);
create table "Immunization" (id uuid primary key, content text not null, "lastUpdated" timestamptz not null, deleted boolean not null default false, compartments uuid[] not null,
	"projectId" uuid, __version integer, patient text);
create table "Location" (id uuid primary key, content text not null, "lastUpdated" timestamptz not null, deleted boolean not null default false, compartments uuid[] not null,
	"projectId" uuid, __version integer, name text[]);
