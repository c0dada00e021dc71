package replicator

import (
	"strconv"
	"strings"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// register is what a session knows of the source's patients and of the site's staff and
// places. It is safe for concurrent use; what it lacks is read through [lookups].
type register struct {
	key   *surrogate.Key
	seals vault.Seals
	plan  *plan
	maker *surrogate.Maker
	at    place // where gazetteers are read

	cache   *patients
	paths   *pathCache
	pathGen atomic.Int64
	site    atomic.Pointer[directory] // never nil
}

// patientBytes bounds the cache of patients.
const patientBytes = 64 << 20

// newRegister returns a register that knows the site. There is no search without a
// directory, so it is an argument.
func newRegister(p *plan, key *surrogate.Key, maker *surrogate.Maker, site *directory) (*register, error) {
	paths, err := lru.New[pathKey, string](pathEntries)
	if err != nil {
		return nil, err
	}
	r := &register{
		key: key, seals: vault.NewSeals(key), plan: p, maker: maker, at: gazetteersAt(p.config),
		cache: newPatients(patientBytes), paths: paths,
	}
	r.site.Store(site)
	return r, nil
}

// gazetteersAt returns where the configuration has gazetteers read.
func gazetteersAt(cfg *config.Config) place {
	if cfg.Gazetteers == config.Direct {
		return atSource
	}
	return atForeign
}

// canonical writes a patient key in one way, whatever type of column it comes
// from; "" if it is no key.
func (r *register) canonical(key string) string { return canonicalKey(r.plan.config.PatientKey, key) }

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
