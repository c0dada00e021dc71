package replicator

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/replicator/mapping"
	"github.com/pgdeid/pgdeid/replicator/plain"
	"github.com/pgdeid/pgdeid/surrogate"
)

// errValue says that a value does not fit its column's policy. It never quotes the
// value.
var errValue = plain.ErrValue

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

// plainPolicy publishes a value whose policy needs no patient.
func plainPolicy(cfg *mapping.Config, key *surrogate.Key, col *column, text string, now time.Time) (string, error) {
	switch col.Publish {
	case mapping.Keep:
		return text, nil
	case mapping.Pseudonym:
		return pseudonym(key, col.keyType(cfg), col.Domain, text)
	case mapping.Zip3:
		return surrogate.Zip3(text), nil
	case mapping.Year:
		return plainYear(col, text, now)
	case mapping.AgeCap:
		return plain.Age(text)
	default:
		return "", fmt.Errorf("policy %s needs a patient", col.Publish)
	}
}
