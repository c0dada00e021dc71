package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate/place"
)

// The families of PostgreSQL types that policies distinguish. Names are those of
// format_type, without modifiers.
var (
	keyIntegers  = []string{"integer", "bigint"}
	keyNumbers   = []string{"smallint", "integer", "bigint", "numeric"}
	textTypes    = []string{"text", "character varying", "character", "name", "citext", "bpchar"}
	dateTypes    = []string{"date", "timestamp without time zone", "timestamp with time zone"}
	numericTypes = []string{"smallint", "integer", "bigint", "numeric", "real", "double precision"}
)

// largeObject is the type of columns that refer to large objects.
const largeObject = "oid"

// BaseType returns a type's name without length or precision:
// "character varying(50)" is "character varying", "timestamp(3) without time
// zone" is "timestamp without time zone".
func BaseType(t string) string {
	open := strings.IndexByte(t, '(')
	end := strings.IndexByte(t, ')')
	if open < 0 || end < open {
		return t
	}
	return strings.TrimRight(t[:open], " ") + t[end+1:]
}

// ReplicaType returns the type that a column has in the replica, given the type
// it has in the source (as format_type writes it, domains and enums resolved to
// what they are made of); "" for policy drop. The error says which types the
// policy takes.
//
// keep, date_shift and integer or uuid pseudonyms keep the type; pseudonyms of a smallint become integers, as there are
// too few of those for all to differ, and pseudonyms of a numeric bigints. Text, surrogate,
// zip3 and pseudonyms and dates of text become text, as they may be longer than the
// original. year of a date becomes an integer. age_cap keeps numbers; 90 means
// 90 and more.
func ReplicaType(p Policy, source string) (string, error) {
	base := BaseType(source)
	isText := slices.Contains(textTypes, base)
	isNumber := slices.Contains(numericTypes, base)
	switch p {
	case Drop:
		return "", nil
	case Keep:
		return source, nil
	case Pseudonym:
		if isText {
			return "text", nil
		}
		switch {
		case base == "uuid" || slices.Contains(keyIntegers, base):
			return source, nil
		case base == "smallint":
			return "integer", nil
		case base == "numeric" && !hasScale(source):
			return "bigint", nil
		}
		return "", unfit(p, base, "integers, numeric without decimals, uuid or text")
	case ShiftDate:
		switch {
		case slices.Contains(dateTypes, base) || slices.Contains(keyIntegers, base):
			return source, nil
		case isText:
			return "text", nil
		}
		return "", unfit(p, base, "date, timestamp, text that is a date, or a whole number of the form yyyymmdd")
	case Text, Surrogate, Zip3:
		if isText {
			return "text", nil
		}
		return "", unfit(p, base, "text")
	case Year:
		switch {
		case slices.Contains(dateTypes, base):
			return "integer", nil
		case isText:
			return "text", nil
		case slices.Contains(numericTypes[:3], base):
			return source, nil
		}
		return "", unfit(p, base, "date, timestamp, or text or a whole number that is a year or a date")
	case AgeCap:
		switch {
		case isNumber:
			return source, nil
		case isText:
			return "text", nil
		}
		return "", unfit(p, base, "a number or text")
	}
	return "", fmt.Errorf("unknown policy %q", short(string(p)))
}

// ReplicaType is [ReplicaType] for a column: of an array, each element is what the policy makes of it; with a format, policy
// text takes columns of documents, which keep their type.
func (c *Column) ReplicaType(source string) (string, error) {
	if BaseType(source) == largeObject && c.Publish != Drop {
		return "", fmt.Errorf("has type %s, the number of a large object, whose content logical replication does not carry", largeObject)
	}
	if c.Publish == Text || c.Publish == ByPath {
		return c.documentType(source)
	}
	element, array := strings.CutSuffix(source, "[]")
	switch {
	case c.Order.IsLayout() && !slices.Contains(textTypes, BaseType(element)) &&
		!(slices.Contains(keyIntegers, element) && strings.HasPrefix(string(c.Order), "yyyy")):
		return "", fmt.Errorf("a layout does not fit type %s (it is of text, or of whole numbers that begin with yyyy)", BaseType(source))
	case c.Separator != "" && !slices.Contains(textTypes, BaseType(source)):
		return "", fmt.Errorf("a separator does not fit type %s (it stands in text)", BaseType(source))
	case !array || c.Publish == Keep || c.Publish == Drop:
		return ReplicaType(c.Publish, source)
	case c.isAge():
		return "", fmt.Errorf("policy %s of what tells an age does not fit type %s (it takes one value)", c.Publish, source)
	}
	each, err := ReplicaType(c.Publish, element)
	if err != nil {
		return "", err
	}
	return each + "[]", nil
}

// isAge reports whether what is published tells an age, which is capped again as time goes by.
func (c *Column) isAge() bool {
	return c.Publish == Year || c.Publish == AgeCap || c.Publish == ShiftDate && c.Tells == record.BirthDate
}

// hasScale reports whether a numeric type keeps digits behind the point.
func hasScale(source string) bool {
	_, scale, found := strings.Cut(source, ",")
	return found && scale != "0)"
}

// IsDate reports whether a type, with or without a precision, is one of dates.
func IsDate(source string) bool { return slices.Contains(dateTypes, BaseType(source)) }

func unfit(p Policy, base, want string) error {
	return fmt.Errorf("policy %s does not fit type %s (it takes %s)", p, base, want)
}

// KeyTypes returns the types that columns of the patient key may have.
func (k KeyType) KeyTypes() []string {
	switch k {
	case TextKey:
		return textTypes
	case UUID:
		return []string{"uuid"}
	}
	return keyNumbers
}

// KeyTypeOf returns how keys in a column of a type are read.
func KeyTypeOf(source string) KeyType {
	switch base := BaseType(source); {
	case slices.Contains(keyNumbers, base):
		return Integer
	case base == "uuid":
		return UUID
	}
	return TextKey
}

// Explain says in words what a policy does to a column, for analysts.
func (p Policy) Explain() string {
	switch p {
	case Keep:
		return "as in the source"
	case Pseudonym:
		return "a keyed pseudonym: the same value has the same pseudonym in every table, so joins work"
	case ShiftDate:
		return "moved by the patient's own number of days, the same as in the notes: intervals within a patient are exact; " +
			"NULL where the source has something else"
	case Text:
		return "free text, de-identified: identifiers are made-up ones of the same kind, and dates are moved, unless the profile keeps them"
	case ByPath:
		return "values in JSON, of which some are published, each as the mapping says"
	case Surrogate:
		return "a made-up value of the same kind, the one that the patient's notes show"
	case Zip3:
		return "the first three digits of the ZIP code; 000 where 20,000 people or fewer live there, and for what is no ZIP code; by: " +
			strings.Join(place.Zip3Sources(), "; ")
	case Year:
		return "the year; a patient's after the date was moved by the patient's own number of days; " +
			"one of birth that would tell an age over 89 is moved up; " +
			"NULL where the source has something else"
	case AgeCap:
		return "an age; 90 means all ages over 89; NULL where the source has something else"
	}
	return "not published"
}
