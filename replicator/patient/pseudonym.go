package patient

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/plain"
	"github.com/pgdeid/pgdeid/surrogate"
)

// ErrValue says that a value does not fit its column's policy. It never quotes the
// value.
var ErrValue = plain.ErrValue

// Pseudonym returns what is published for a key.
func Pseudonym(key *surrogate.Key, kind config.KeyType, domain, text string) (string, error) {
	switch kind {
	case config.Integer:
		n, err := parseInteger(text)
		if err != nil {
			return "", ErrValue
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

// parseInteger reads a whole number, which a numeric may write with zeros behind its point.
func parseInteger(text string) (int64, error) {
	text = strings.TrimSpace(text)
	if whole, zeros, found := strings.Cut(text, "."); found && zeros != "" && strings.Trim(zeros, "0") == "" {
		text = whole
	}
	return strconv.ParseInt(text, 10, 64)
}

func parseUUID(s string) (id [16]byte, err error) {
	b, err := hex.DecodeString(strings.ReplaceAll(s, "-", ""))
	if err != nil || len(b) != len(id) {
		return id, ErrValue
	}
	copy(id[:], b)
	return id, nil
}

func formatUUID(id [16]byte) string {
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// CanonicalKey writes a patient key in one way; "" if it is no key.
func CanonicalKey(kind config.KeyType, key string) string {
	switch kind {
	case config.Integer:
		n, err := parseInteger(key)
		if err != nil {
			return ""
		}
		return strconv.FormatInt(n, 10)
	case config.UUID:
		id, err := parseUUID(key)
		if err != nil {
			return ""
		}
		return formatUUID(id)
	default:
		return strings.TrimRight(key, " ") // char(n) is padded
	}
}
