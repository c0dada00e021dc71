// Package web is the review station: a web server for people who look at notes beside what the replica
// shows of them. Its pages need nothing but what the program has in it, and ask no other host for anything.
//
// What a person may see and do is decided here, request by request: who it is (session.go), what they are
// (Role), which notes they have in hand (package store), and by the source what they may read (Notes). Of a note
// only the last few that a session has opened are in memory, and they go with the session.
package web
