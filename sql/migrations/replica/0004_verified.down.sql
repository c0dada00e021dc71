drop table deid.verified, deid.verified_version;
