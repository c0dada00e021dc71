-- A run that follows the publication takes a table's new entry for a gap, unless it was
-- put in the place of the old one at once.
create table pgdeid.carried_on (
    since  text primary key,
    before text not null
);
comment on table pgdeid.carried_on is 'entries of the publication that pgdeid put in the place of others within one transaction: no change passed by';
comment on column pgdeid.carried_on.since is 'identity of the new entry';
comment on column pgdeid.carried_on.before is 'identity of the entry that it replaced';
revoke all on pgdeid.carried_on from public;
grant usage on schema pgdeid to pgdeid_replication;
grant select on pgdeid.carried_on to pgdeid_replication;
