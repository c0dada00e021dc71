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
// What is text, what is kept, and what is dropped:
//
//   - Plain: everything is text. It has to be UTF-8.
//
//   - RTF: text is the body, headers, footers, footnotes, text boxes, numbers of lists and the results of fields, in the code pages of
//     the document and its fonts. Formatting and soft hyphens cut no words. Control words of layout that rtf_words.txt names are
//     kept, with numbers of up to six digits, and so are the tables of fonts, colours and styles, in which names of fonts and
//     styles that rtf_names.txt does not have are written anew. Fields, text boxes and numbers of lists become plain text. Everything
//     else is dropped: properties of the document, instructions of fields, pictures, objects, hidden text, comments, bookmarks, marks
//     of revisions, unknown destinations, substitutes of characters that say something else. Where a control word is ended by
//     what text or dropped parts may replace, a space is written behind it. An error is text in an unknown code page, nesting
//     deeper than 1000, and something behind the end.
//
//   - HTML: text is what is between tags, with character references; white space and blocks are shown as innerText of the HTML
//     Standard does it. Inline tags, soft hyphens and wbr cut no words; a space that does not break is a space. Tags of elements that
//     html_elements.txt names are kept, without attributes but for those of layout in html_attributes.txt. Dropped: comments,
//     scripts, styles, the title and metadata of the head, images and their alternative text, title, href and all other
//     attributes, values of fields, what is hidden (the attribute hidden; display:none and the like in a style attribute), what is
//     shown only instead of something else (noscript, object), tags of unknown elements. Broken HTML is read as browsers read it. An
//     error is a tag, a comment or a hidden element without an end, a NUL byte, xmp and plaintext, nesting deeper than 1024.
//     The document is UTF-8; a declaration of another encoding is written anew.
//
//   - XML: text is the text of each element, as it is written; elements are apart by line breaks. CDATA becomes plain text, since
//     in a CDATA section not all text can be written: markup in it is text. Tags, names and declarations of namespaces are kept,
//     also where they say something: a format of which that is to be feared needs a parser of its own. Attributes are dropped
//     but for those in xml_attributes.txt, and so are comments and processing instructions. A document type is an error, since it can
//     define entities, and so are encodings other than UTF-8, US-ASCII, ISO-8859-1 and UTF-16. The last two are written as
//     UTF-8. What is UTF-8 is read as such whatever the declaration says, since databases convert texts and not declarations.
//
//   - CDA, clinical documents of HL7 version 3 (C-CDA and others): text is the narrative of sections, titles, original texts,
//     values that are text, names of drugs, and the names of codes (displayName) of known code systems. In narrative white space is
//     shown as in HTML, in a body of plain text as it is written. Elements that cda_elements.txt names are kept in their order,
//     with attributes whose values are in cda_attributes.txt, codes whose form is that of a known code system (cda_codes.txt),
//     identifiers of templates, and amounts with known units (cda_units.txt) that are neither long numbers nor ages over 89
//     years. Identifiers of the document (ID) and links to them are numbered anew. Masked, with nullFlavor="MSK", are identifiers,
//     names, addresses, telecommunication, all points in time, lot numbers, devices, unknown codes and types, and files.
//     Everything else is dropped: elements and attributes that are not named, comments, text where the format has none. Tags in
//     narrative that the format does not have are dropped too, and what they contain is read. HTML that is written as text in a
//     clinical document, in CDATA or with escapes, is text as it is written, tags and all.
//
//   - HL7, messages of version 2 with delimiters, also in batches and frames: what becomes of each field hl7_fields.txt says;
//     separators are kept. Text is what is free text, the names of codes, and in values of observations codes of systems that are not
//     public; fields are apart by tabs, segments by line breaks, which a line without a segment is too. Codes, counts and small numbers
//     are kept where they have the form of one. Dropped are all other fields and segments, those of a site (Z) too, files in
//     observations (ED) whatever they hold, and the name of a code that the observation before had. Lines that begin no segment
//     behind a field that is not read are an error. The message is UTF-8; Latin-1 is a step of its encoding.
//
//   - JSON: every string that is a value is text, and so are whole numbers long enough to identify somebody. Keys, other numbers
//     and white space are kept.
//
//   - Auto: the first of the formats that the document shows by how it begins; what no format claims is plain text. What begins
//     like a whole document of a format and does not parse is an error, not plain text.
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
// A parser is a function that hands each byte of its input to exactly one method of [builder], in order, and an entry in
// the map of parsers. A format that is known by how its documents begin has an entry in the claims for [Auto]. The test function
// verify checks what has to hold for every document of a format; each format's fuzz test calls it.
package document
