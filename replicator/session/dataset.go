package session

import (
	"context"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// StoreDataset notes what rows are made with from now on, unless that was so before: analysts see it.
func (s *Session) StoreDataset(ctx context.Context) error {
	_, err := s.Control.Exec(ctx, `
		with last as (select * from deid.dataset order by number desc limit 1)
		insert into deid.dataset (number, version, config_hash, epoch)
		select coalesce((select number from last), 0) + 1, $1, $2, $3
		where not exists (select from last where version = $1 and config_hash = $2 and epoch = $3)
		on conflict do nothing`, s.Opts.Version, s.Deid.Made, s.Key.Epoch())
	return fault.New("store what rows are made with", connect.Lost(s.Control, err), "run 'pgdeid migrate up'")
}
