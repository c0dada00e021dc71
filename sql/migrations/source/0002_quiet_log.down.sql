-- The settings go with the roles: reset, they would open the log of another database that uses them.
select null;
