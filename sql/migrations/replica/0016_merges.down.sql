drop table deid.patient_merge;
