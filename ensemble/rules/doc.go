// Package rules finds protected health information (PHI) by its form. It only merges what the
// packages below it find, each of which knows one kind of PHI:
//
//   - date, time and age,
//   - phone: telephones, faxes and pagers,
//   - net: mail, pages, computers,
//   - address: streets, boxes and postal codes,
//   - ident: identifiers.
//
// They share package cue, which reads their files of words, and package label, which finds the
// word that announces a value.
package rules
