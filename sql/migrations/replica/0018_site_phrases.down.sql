drop table deid.site_phrase, deid.site_version;
