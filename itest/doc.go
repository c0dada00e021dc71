// Package itest holds the tests against real PostgreSQL servers: whole runs from
// source to replica, faults on the way, and what must never be found anywhere.
//
// [TestMain] starts two servers that all tests share; each test takes a pair of fresh
// databases on them ([newPair]), or, where it stops or breaks a server, a pair of
// servers of its own ([newOwnPair]). Tests of what a process does when it is killed
// build and run the real program ([startPgdeid]).
package itest
