package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/sql/research"
	"github.com/pgdeid/pgdeid/sql/rotation"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Under returns what publishes rows of the same plan under another key, as far as that needs to know of no patient: keys and
// pseudonyms.
func (s *Session) Under(key *surrogate.Key) (*deid.Deidentifier, error) {
	maker, err := surrogate.New(key, s.Cfg.Surrogates)
	if err != nil {
		return nil, fault.New("make surrogates", err, "correct the configuration's surrogates")
	}
	reg, err := patient.NewRegister(s.Plan, key, maker, s.Reg.Site.Load())
	if err != nil {
		return nil, err
	}
	o := *s.Opts
	o.Key = key
	return deid.New(reg, o.settings()), nil
}

// checkKeys makes sure that the replica is written with the key of o, and returns whether it is being changed for
// that key: then o has the one before as well.
func checkKeys(ctx context.Context, replica *pgx.Conn, o *Options) (rotating bool, err error) {
	const op = "check the keys"
	state, err := rotation.Read(ctx, replica)
	if err != nil {
		return false, err
	}
	if state != nil && bytes.Equal(state.OldCheck, o.Key.Check()) {
		return false, fault.New(op, fmt.Errorf("the replica's key is being changed for that of epoch %d, and key_file names the one before", state.To),
			"name the next key in key_file and this one in old_key_file")
	}
	if err := research.CheckKey(ctx, replica, o.Key.Check(), o.Key.Epoch()); err != nil || state == nil {
		return false, err
	}
	if o.OldKey == nil || !bytes.Equal(state.OldCheck, o.OldKey.Check()) {
		return false, fault.New(op, errors.New("the replica's key is being changed, and old_key_file does not name the key of before"),
			"name it until 'pgdeid key rotate' is done: names that left a record are known by it alone")
	}
	return true, nil
}
