drop index deid.quarantine_patient;
alter table deid.quarantine drop column patient_hmac;
alter table deid.requeue drop column whole;
drop table deid.purged;
drop sequence deid.purged_change;
drop table deid.patient_filter;
