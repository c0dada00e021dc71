// Package sql is everything of pgdeid that is SQL: the migrations of source and
// replica, what is generated from a mapping (publication, grants, research
// tables, foreign server), and the preflight.
//
// Static migrations are in migrations/, run by golang-migrate, which keeps its
// version in pgdeid.schema_migrations of the source and deid.schema_migrations
// of the replica. What depends on the mapping and on the source's catalogue is
// made anew after each "up" ([Up]) and taken away before "down" ([Down]).
//
// A third kind of database asks the engine ([Attach], [Detach]); its migrations
// need neither mapping nor source, and their version is in deid.engine_migrations.
package sql
