alter table deid.snapshot drop column compare, drop column added, drop column changed, drop column removed;
