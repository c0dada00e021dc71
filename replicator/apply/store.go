package apply

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Store is what the writers of a session share.
type Store struct {
	Reg        *patient.Register
	plan       *schema.Plan
	key        *surrogate.Key
	seals      vault.Seals
	Choices    *vault.Store
	provenance *vault.Provenance
	quarantine *vault.Quarantine
	Now        func() time.Time
	Log        *slog.Logger
	Metrics    *metrics.Metrics

	// PurgeChanges says as of how many purges the session began.
	PurgeChanges int64
	// withheld has the columns of which it was logged that values are withheld.
	withheld sync.Map
	// AnyAside is true once deid.quarantine may hold rows: until then it is not read.
	AnyAside atomic.Bool
	// blocked holds the pseudonyms of patients of whom the replica did not take what was
	// chosen for them. Nothing of theirs is published until the next session, which knows
	// of no choice but what the vault has. The goroutine that writes owns it.
	blocked map[string]bool
	// shown is the note of many rows whose day was asked for last. The goroutine that writes owns it.
	shown struct {
		note *deid.Note
		day  int
	}
}

// NewStore returns what the writers of a session share.
func NewStore(reg *patient.Register, o *deid.Settings) *Store {
	seals := vault.NewSeals(o.Key)
	s := &Store{
		Reg: reg, plan: reg.Plan, key: o.Key, seals: seals, Choices: vault.NewStore(o.Key, o.Log),
		provenance: vault.NewProvenance(o.Key, o.Version, deid.ConfigHash(reg.Plan.Hash, o.Models), o.Now), quarantine: vault.NewQuarantine(seals),
		Now: o.Now, Log: o.Log, Metrics: o.Metrics, blocked: map[string]bool{},
	}
	s.Metrics.InitialiseWithheld(reg.Plan)
	return s
}
