// Package xml reads and writes well-formed XML 1.0 (https://www.w3.org/TR/xml/) of which nothing else is known, and scans XML
// for formats that are written in it.
//
// Text is the text of each element, as it is written; elements are apart by line breaks. CDATA becomes plain text, since in a
// CDATA section not all text can be written: markup in it is text. Tags, names and declarations of namespaces are kept, also
// where they say something: a format of which that is to be feared needs a parser of its own. Attributes are dropped but for
// those in attributes.txt, and so are comments and processing instructions. A document type is an error, since it can define
// entities, and so are encodings other than UTF-8, US-ASCII, ISO-8859-1 and UTF-16. The last two are written as UTF-8. What is
// UTF-8 is read as such whatever the declaration says, since databases convert texts and not declarations.
package xml
