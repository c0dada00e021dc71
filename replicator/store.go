package replicator

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// store is what the writers of a session share.
type store struct {
	plan       *plan
	key        *surrogate.Key
	seals      vault.Seals
	choices    *vault.Store
	provenance *vault.Provenance
	quarantine *vault.Quarantine
	now        func() time.Time
	log        *slog.Logger
	metrics    *Metrics

	// withheld has the columns of which it was logged that values are withheld.
	withheld sync.Map
	// anyAside is true once deid.quarantine may hold rows: until then it is not read.
	anyAside atomic.Bool
	// blocked holds the pseudonyms of patients of whom the replica did not take what was
	// chosen for them. Nothing of theirs is published until the next session, which knows
	// of no choice but what the vault has. The goroutine that writes owns it.
	blocked map[string]bool
}

func newStore(p *plan, o *settings) *store {
	seals := vault.NewSeals(o.Key)
	s := &store{
		plan: p, key: o.Key, seals: seals, choices: vault.NewStore(o.Key, o.Log),
		provenance: vault.NewProvenance(o.Key, o.Version, configHash(p.hash, o.Models), o.Now), quarantine: vault.NewQuarantine(seals),
		now: o.Now, log: o.Log, metrics: o.Metrics, blocked: map[string]bool{},
	}
	s.metrics.initialiseWithheld(p)
	return s
}
