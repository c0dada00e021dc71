package replicator

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/replicator/mapping"
	"github.com/pgdeid/pgdeid/surrogate"
)

// errValue tells that a value does not fit its column's policy. It never quotes
// the value.
var errValue = errors.New("a value does not fit its column's policy")

// pseudonym returns what is published for a key.
func pseudonym(key *surrogate.Key, kind mapping.KeyType, domain, text string) (string, error) {
	switch kind {
	case mapping.Integer:
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil {
			return "", errValue
		}
		return strconv.FormatInt(key.PseudonymInt(domain, n), 10), nil
	case mapping.UUID:
		id, err := parseUUID(text)
		if err != nil {
			return "", err
		}
		return formatUUID(key.PseudonymUUID(domain, id)), nil
	default:
		return key.PseudonymText(domain, text), nil
	}
}

// keyType returns how the values of a column with policy pseudonym are read: by
// the column's type, except that patient keys have one type everywhere.
func (c *column) keyType(cfg *mapping.Config) mapping.KeyType {
	if c.Domain == mapping.PatientDomain {
		return cfg.PatientKey
	}
	switch c.typ {
	case "smallint", "integer", "bigint":
		return mapping.Integer
	case "uuid":
		return mapping.UUID
	default:
		return mapping.TextKey
	}
}

func parseUUID(s string) (id [16]byte, err error) {
	b, err := hex.DecodeString(strings.ReplaceAll(s, "-", ""))
	if err != nil || len(b) != len(id) {
		return id, errValue
	}
	copy(id[:], b)
	return id, nil
}

func formatUUID(id [16]byte) string {
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// timeLayouts are PostgreSQL's text formats of dates and times with DateStyle
// ISO and time zone UTC, which all connections ask for.
var timeLayouts = map[string]string{
	"date":                        "2006-01-02",
	"timestamp without time zone": "2006-01-02 15:04:05.999999",
	"timestamp with time zone":    "2006-01-02 15:04:05.999999-07",
}

// shiftTime moves a date or timestamp in PostgreSQL's text format.
func shiftTime(text, typ string, move func(time.Time) time.Time) (string, error) {
	if text == "infinity" || text == "-infinity" {
		return text, nil // "for ever": no date
	}
	layout, ok := timeLayouts[typ]
	if !ok {
		return "", errValue
	}
	t, err := time.Parse(layout, text)
	if err != nil {
		return "", errValue // such as a year before Christ
	}
	return move(t).Format(layout), nil
}

// yearOf returns the year of a date, timestamp or number. Years of birth that
// would tell an age over 89 become the latest such year (Safe Harbor, 45 CFR
// 164.514(b)(2)(i)(C)).
func yearOf(text string, birth bool, now time.Time) (string, error) {
	year, err := leadingInt(text)
	if err != nil || year < 1 || strings.HasSuffix(text, "BC") {
		return "", errValue
	}
	if oldest := now.Year() - 90; birth && year < oldest {
		year = oldest
	}
	return strconv.Itoa(year), nil
}

// capAge makes ages over 89 one age: 90.
func capAge(text string) (string, error) {
	age, err := leadingInt(text)
	if err != nil {
		return "", errValue
	}
	if age > 89 {
		return "90", nil
	}
	return text, nil
}

// leadingInt returns the whole number that a text starts with.
func leadingInt(text string) (int, error) {
	text = strings.TrimSpace(text)
	end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(text)
	}
	n, err := strconv.Atoi(text[:end])
	if err != nil {
		return 0, errValue
	}
	return n, nil
}

// fewPeople lists the three-digit ZIP codes with 20,000 people or fewer in the
// 2000 census (HHS guidance on de-identification, 2012).
var fewPeople = map[string]bool{
	"036": true, "059": true, "063": true, "102": true, "203": true, "556": true, "692": true, "790": true, "821": true,
	"823": true, "830": true, "831": true, "878": true, "879": true, "884": true, "890": true, "893": true,
}

// zip3 returns the first three digits of a ZIP code, or 000 where few people live
// or the value is no ZIP code.
func zip3(text string) string {
	text = strings.TrimSpace(text)
	if len(text) < 3 {
		return "000"
	}
	for _, r := range text[:3] {
		if r < '0' || r > '9' {
			return "000"
		}
	}
	if fewPeople[text[:3]] {
		return "000"
	}
	return text[:3]
}

// plainPolicy publishes a value whose policy needs no patient.
func plainPolicy(cfg *mapping.Config, key *surrogate.Key, col *column, text string, now time.Time) (string, error) {
	switch col.Publish {
	case mapping.Keep:
		return text, nil
	case mapping.Pseudonym:
		return pseudonym(key, col.keyType(cfg), col.Domain, text)
	case mapping.Zip3:
		return zip3(text), nil
	case mapping.Year:
		return yearOf(text, col.Tells == "birth_date", now)
	case mapping.AgeCap:
		return capAge(text)
	default:
		return "", fmt.Errorf("policy %s needs a patient", col.Publish)
	}
}
