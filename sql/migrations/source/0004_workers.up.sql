-- A process that copies has some five connections.
alter role pgdeid_replication connection limit 128;
alter role pgdeid_reader connection limit 128;
