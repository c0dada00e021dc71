// Package net finds addresses on the net.
//
//   - A name, an at sign and a domain that touch are an address of mail (RFC 5322, addr-spec).
//   - What follows a scheme (RFC 3986) or "www" up to a blank is a URL; so is a domain whose last part is no word.
//   - Four numbers below 256 with dots between are an address of a computer, if one has two digits or more and no
//     version is announced; so are groups of hex digits that are one (RFC 4291).
//   - Six pairs of hex digits with colons or hyphens between are a network card (IEEE 802).
package net
