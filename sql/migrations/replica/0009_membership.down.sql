drop table deid.made_for;
alter table deid.note_provenance drop column published_hmac;
alter table deid.progress drop column slot_restart, drop column history;
alter table deid.snapshot drop column seen_lsn, drop column seen, drop column again;
drop table deid.membership;
