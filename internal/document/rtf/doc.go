// Package rtf reads and writes the Rich Text Format, as of its specification 1.9.1.
//
// Text is the body, headers, footers, footnotes, text boxes, numbers of lists and the results of fields, in the code pages of
// the document and its fonts. Formatting and soft hyphens cut no words. Control words of layout that words.txt names are kept,
// with numbers of up to six digits, and so are the tables of fonts, colours and styles, in which names of fonts and styles that
// names.txt does not have are written anew. Fields, text boxes and numbers of lists become plain text. Everything else is
// dropped: properties of the document, instructions of fields, pictures, objects, hidden text, comments, bookmarks, marks of
// revisions, unknown destinations, substitutes of characters that say something else. Where a control word is ended by what text
// or dropped parts may replace, a space is written behind it. An error is text in an unknown code page, nesting deeper than
// 1000, and something behind the end.
package rtf
