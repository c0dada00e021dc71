// Package record finds in a text what structured tables say of its patient, or of a site's
// staff and facilities, in any spelling. A [Record] holds their values, a [Gazetteer] is made
// ready to search for them.
package record
