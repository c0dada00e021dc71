drop index deid.quarantine_lacks;
alter table deid.quarantine drop column lacks;
drop table deid.patient_former, deid.requeue_path, deid.directory_word, deid.directory;
