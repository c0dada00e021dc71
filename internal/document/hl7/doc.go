// Package hl7 reads and writes messages of HL7 version 2 in the encoding with delimiters (chapter 2 of the standard), also in
// batches and in frames of the Minimal Lower Layer Protocol.
//
// What becomes of each field fields.txt says; separators are kept. Text is what is free text, the names of codes, and in values
// of observations codes of systems that are not public; fields are apart by tabs, segments by line breaks, which a line without
// a segment is too. Codes, counts and small numbers are kept where they have the form of one. Dropped are all other fields and
// segments, those of a site (Z) too, files in observations (ED) whatever they hold, and the name of a code that the observation
// before had. Lines that begin no segment behind a field that is not read are an error. The message is UTF-8; Latin-1 is a step
// of its encoding.
package hl7
