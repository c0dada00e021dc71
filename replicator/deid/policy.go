package deid

import (
	"fmt"
	"time"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/plain"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/surrogate"
	"github.com/pgdeid/pgdeid/surrogate/place"
)

// plainPolicy publishes a value whose policy needs no patient.
func plainPolicy(cfg *config.Config, key *surrogate.Key, col *schema.Column, text string, now time.Time) (string, error) {
	switch col.Publish {
	case config.Keep:
		return text, nil
	case config.Pseudonym:
		return patient.Pseudonym(key, col.KeyType(cfg), col.Domain, text)
	case config.Zip3:
		return place.Zip3(text), nil
	case config.Year:
		return plainYear(col, text, now)
	case config.AgeCap:
		return plain.Age(text)
	default:
		return "", fmt.Errorf("policy %s needs a patient", col.Publish)
	}
}
