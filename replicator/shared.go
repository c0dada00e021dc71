package replicator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Detector finds the PHI of a note: an [ensemble.Ensemble].
type Detector interface {
	Detect(ctx context.Context, note *ensemble.Note) ([]phi.Span, error)
}

// shared is what all goroutines of a run use: immutable, or safe for concurrent use.
type shared struct {
	key        *surrogate.Key
	seals      vault.Seals
	choices    *vault.Store
	provenance *vault.Provenance
	quarantine *vault.Quarantine

	plan     *plan
	maker    *surrogate.Maker
	detector Detector
	version  string
	config   string        // a hash of mapping and models, stored with each text
	timeout  time.Duration // detection of one note
	at       place         // where gazetteers are read
	now      func() time.Time
	log      *slog.Logger
	metrics  *Metrics

	cache   *patients
	paths   *pathCache
	pathGen atomic.Int64
	site    atomic.Pointer[directory] // never nil
	// withheld has the columns of which it was logged that values are withheld.
	withheld sync.Map
	// anyAside is true once deid.quarantine may hold rows: until then it is not read.
	anyAside atomic.Bool
	// blocked holds the pseudonyms of patients of whom the replica did not take what was
	// chosen for them. Nothing of theirs is published until the next session, which knows
	// of no choice but what the vault has. The goroutine that writes owns it.
	blocked map[string]bool
}

// patientBytes bounds the cache of patients.
const patientBytes = 64 << 20

// newShared returns what the goroutines of a run share. There is no search without a
// directory, so it is an argument.
func newShared(p *plan, o *Options, maker *surrogate.Maker, site *directory) (*shared, error) {
	paths, err := lru.New[pathKey, string](pathEntries)
	if err != nil {
		return nil, err
	}
	seals, config := vault.NewSeals(o.Key), configHash(p.hash, o.Models)
	s := &shared{
		key: o.Key, seals: seals, choices: vault.NewStore(o.Key, o.Log),
		provenance: vault.NewProvenance(o.Key, o.Version, config, o.Now), quarantine: vault.NewQuarantine(seals), plan: p, maker: maker, detector: o.Detector, version: o.Version,
		config: config, timeout: o.Config.Limits.NoteTimeout,
		at: gazetteersAt(o.Config), now: o.Now, log: o.Log, metrics: o.Metrics, cache: newPatients(patientBytes), paths: paths,
		blocked: map[string]bool{},
	}
	s.site.Store(site)
	s.metrics.initialiseWithheld(p)
	return s, nil
}

// gazetteersAt returns where the configuration has gazetteers read.
func gazetteersAt(cfg *config.Config) place {
	if cfg.Gazetteers == config.Direct {
		return atSource
	}
	return atForeign
}

// configHash returns a hash of everything but the text and its patient that decides the
// output. The position is stored with the mapping's hash alone: new models in a new
// version of the program put notes out of date, and make no gap in the stream.
func configHash(mapping, models string) string {
	if models == "" {
		return mapping
	}
	sum := sha256.Sum256([]byte(mapping + "/" + models))
	return hex.EncodeToString(sum[:16])
}

// canonical writes a patient key in one way, whatever type of column it comes
// from; "" if it is no key.
func (s *shared) canonical(key string) string { return canonicalKey(s.plan.config.PatientKey, key) }

func canonicalKey(kind config.KeyType, key string) string {
	switch kind {
	case config.Integer:
		n, err := strconv.ParseInt(strings.TrimSpace(key), 10, 64)
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
