// Package net finds addresses on the net: of mail, of pages, of computers and of network cards.
//
//   - A name, an at sign and a domain are an address of mail, also with blanks between them
//     or with the marks in words: "john dot smith at example dot com".
//   - What follows a scheme or "www" up to a blank is a URL; so is a domain whose last part
//     is no word.
//   - Four numbers below 256 with dots between are an address of a computer, if one has two
//     digits or more and no version is announced; groups of hex digits, if they are one.
//   - Six pairs of hex digits are a network card.
package net
