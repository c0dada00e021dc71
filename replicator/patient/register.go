package patient

import (
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Register is what a session knows of the source's patients and of the site's staff and
// places. It is safe for concurrent use; what it lacks is read through [Lookups].
type Register struct {
	phi.Redacted

	Key   *surrogate.Key
	Seals vault.Seals
	Plan  *schema.Plan
	Maker *surrogate.Maker
	at    schema.Place // where gazetteers are read

	Cache   *Cache
	Purged  *Purged // nil: no patient
	Before  *Before // nil unless the key is being changed
	Merges  Merges
	Paths   *pathCache
	PathGen atomic.Int64
	Site    atomic.Pointer[Directory] // never nil
}

// patientBytes bounds the cache of patients.
const patientBytes = 64 << 20

// NewRegister returns a register that knows the site. There is no search without a
// directory, so it is an argument.
func NewRegister(p *schema.Plan, key *surrogate.Key, maker *surrogate.Maker, site *Directory) (*Register, error) {
	paths, err := lru.New[PathKey, string](pathEntries)
	if err != nil {
		return nil, err
	}
	r := &Register{
		Key: key, Seals: vault.NewSeals(key), Plan: p, Maker: maker, at: GazetteersAt(p.Config),
		Cache: NewCache(patientBytes), Paths: paths,
	}
	r.Site.Store(site)
	return r, nil
}

// GazetteersAt returns where the configuration has gazetteers read.
func GazetteersAt(cfg *config.Config) schema.Place {
	if cfg.Gazetteers == config.Direct {
		return schema.AtSource
	}
	return schema.AtForeign
}

// canonical writes a patient key in one way, whatever type of column it comes
// from; "" if it is no key.
func (r *Register) canonical(key string) string { return CanonicalKey(r.Plan.Config.PatientKey, key) }
