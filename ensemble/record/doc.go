// Package record finds in a text what structured tables say of its patient, or of a site's
// staff and facilities, however it is written. A [Record] holds their values, a [Gazetteer] is made
// ready to search for them, [Find] and [FindStaff] search.
//
// A search has three steps.
//
//  1. Index. [NewGazetteer] enters every word of a name, a place and a street by its hash, every
//     number by the hash of its letters and digits, and every phrase, street, birth date and pair of
//     given and family name by those of its parts. Words are also entered by their skeleton, in which
//     characters that scanners take for one another are the same, whole and without each letter.
//  2. Reading. A text is read as tokens in which the words of the record are whole (reading.go). A word
//     that looks like one of the record, or is one wrong letter from it, is read as that word; letters
//     that are apart, over a line's end too, and digits in words are joined (spelt.go); a word that
//     glues others together is cut where its parts cost least (glued.go). Each such token is marked
//     with how likely that is: by the word's length, and by what else the text's word may be.
//  3. Matching. One pass over the reading looks up what begins at each token: identifiers and birth
//     dates (values.go), addresses (email.go, places.go), names (chain.go). What may be an
//     ordinary word, or is only likely a word of the record, counts where the words around it are
//     those around a name (names.go, evidence.go, initials.go) or a place (placed.go), or where other
//     parts of the same value are next to it.
//
// Only [Find] reads what merely looks like a value; the leak check ([Gazetteer.Leaks]) and a
// directory take words as they are spelt. Text in markup and in base64 is searched too (package fold).
// A search takes time in proportion to the text's length, however much the record holds.
package record
