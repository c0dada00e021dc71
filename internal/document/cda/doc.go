// Package cda reads and writes documents of the HL7 Clinical Document Architecture, release 2 (C-CDA and others).
//
// Text is the narrative of sections, titles, original texts, values that are text, names of drugs, and the names of codes
// (displayName) of known code systems. In narrative white space is shown as in HTML, in a body of plain text as it is written.
// Elements that elements.txt names are kept in their order, with attributes whose values are in attributes.txt, codes whose form
// is that of a known code system, identifiers of templates, and amounts with known units that are neither long numbers nor ages
// over 89 years. Identifiers of the document (ID) and links to them are numbered anew. Masked, with nullFlavor="MSK", are
// identifiers, names, addresses, telecommunication, all points in time, lot numbers, devices, unknown codes and types, and
// files. Everything else is dropped: elements and attributes that are not named, comments, text where the format has none. Tags
// in narrative that the format does not have are dropped too, and what they contain is read. HTML that is written as text in a
// clinical document, in CDATA or with escapes, is text as it is written, tags and all.
package cda
