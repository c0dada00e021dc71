// Package itest holds the tests against real PostgreSQL servers: whole runs from
// source to replica, faults on the way, and what must never be found anywhere.
//
// [TestMain] starts two servers that all tests share; each test takes a pair of fresh
// databases on them ([newPair]), or, where it stops or breaks a server, a pair of
// servers of its own ([newOwnPair]). Tests of what a process does when it is killed
// build and run the real program ([startPgdeid]).
//
// Tests begin with t.Parallel, and four run at a time. What belongs to a server and not to a
// database is everybody's: a test on the shared pair leaves pgdeid's roles as they are ("alter role …
// in database" is its own), names other roles after its pair, migrates by [migrateUp], [sqlUp]
// and [sqlDown] or the program, one at a time, and counts slots, sessions and lines of logs by its own names.
// Where that won't do it takes its own pair, which starts in less than a second. Where nothing depends
// on what is found, [replication.exactly] saves the time of the models.
package itest
