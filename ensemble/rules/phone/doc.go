// Package phone finds numbers of telephones, faxes and pagers.
//
//   - A number that has the groups of a country's numbers is one, if nothing announces something else; forms that
//     other things have too need a mark between the groups, or a word that announces them. The forms are those of
//     the numbering plans of the countries, in the file grammars.txt.
//   - A plus sign and eight to fifteen digits in groups are an international number (ITU-T E.164).
//   - Behind a word for telephones any seven to fifteen digits in groups are a number.
//   - Short numbers count behind words for pagers and extensions, and behind an "x".
//
// The kind of a number is what announces it, or what follows it: "555-0100 (fax)".
package phone
