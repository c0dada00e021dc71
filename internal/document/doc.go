// Package document reads the text that a person sees out of a document and puts other text in its place, in the same
// document.
//
// [Parse] takes a document apart. [Document.Text] is one note: words that tags, entities or control words cut are whole; blocks,
// cells and lines are apart. [Document.Replace] writes the document again with edits of that text: markup and layout stay byte
// for byte, and so does text that no edit touches; whatever is not seen is gone. What can't be read whole is an error, never a
// part of a document.
//
// # Formats
//
// What is text, what is kept and what is dropped is said by the package of each format:
//
//   - [Plain]: everything is text. It has to be UTF-8.
//   - [RTF]: package rtf, the Rich Text Format 1.9.1.
//   - [HTML]: package html, HTML as browsers read it.
//   - [XML]: package xml, XML 1.0 of which nothing else is known.
//   - [CDA]: package cda, the HL7 Clinical Document Architecture, release 2.
//   - [HL7]: package hl7, messages of HL7 version 2 with delimiters.
//   - [JSON]: package json, JSON of RFC 8259, whole or in the values that a [Selection] names.
//   - [Auto]: the first of the formats that the document shows by how it begins; what no format claims is plain text. What begins
//     like a whole document of a format and does not parse is an error, not plain text.
//
// Formats know nothing of each other; CDA alone builds on XML, in which it is written, and on HTML, whose elements its narrative may
// have. They share package parts, which builds a document and writes it again; markup, for HTML and XML; char, for characters;
// wordlist, for the lists of words that they are built with. Only this package knows them all. An array of PostgreSQL ([ParseArray])
// has documents as its elements.
//
// # Limits
//
// A document has at most 1 GiB. It takes time in proportion to its size, and memory of a small multiple of it: 12 bytes for each
// stretch of text, markup or layout. Edits between gaps give exactly the text that they should; an edit over gaps is written
// where its first part was, and white space at its end may become layout. An edit whose text is empty can make white space and gaps
// around it disappear as well.
//
// # Adding a format
//
// A format is a package with a function Read that hands each byte of its input to exactly one method of a parts.Builder, in order,
// and an entry in the map of parsers. A format that is known by how its documents begin has an entry in the claims for [Auto]. Package
// documenttest checks what has to hold for every document of a format; each format's fuzz test calls it.
package document
