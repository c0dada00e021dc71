revoke usage on schema pgdeid from pgdeid_replication;
drop table pgdeid.carried_on;
