package replicator

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/plain"
	"github.com/pgdeid/pgdeid/surrogate"
)

// errValue says that a value does not fit its column's policy. It never quotes the
// value.
var errValue = plain.ErrValue

// pseudonym returns what is published for a key.
func pseudonym(key *surrogate.Key, kind config.KeyType, domain, text string) (string, error) {
	switch kind {
	case config.Integer:
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil {
			return "", errValue
		}
		return strconv.FormatInt(key.PseudonymInt(domain, n), 10), nil
	case config.UUID:
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
func (c *column) keyType(cfg *config.Config) config.KeyType {
	if c.Domain == config.PatientDomain {
		return cfg.PatientKey
	}
	switch c.typ {
	case "smallint", "integer", "bigint":
		return config.Integer
	case "uuid":
		return config.UUID
	default:
		return config.TextKey
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
func plainPolicy(cfg *config.Config, key *surrogate.Key, col *column, text string, now time.Time) (string, error) {
	switch col.Publish {
	case config.Keep:
		return text, nil
	case config.Pseudonym:
		return pseudonym(key, col.keyType(cfg), col.Domain, text)
	case config.Zip3:
		return surrogate.Zip3(text), nil
	case config.Year:
		return plainYear(col, text, now)
	case config.AgeCap:
		return plain.Age(text)
	default:
		return "", fmt.Errorf("policy %s needs a patient", col.Publish)
	}
}
