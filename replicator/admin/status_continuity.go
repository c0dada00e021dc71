package admin

import (
	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/replicator/source"
)

// judgeContinuity says what makes the replica untrue though everything seems to run:
// changes that pass the stream by, or passed it by, and a source that went back.
func (s *Status) judgeContinuity(say func(format string, args ...any)) {
	for _, what := range s.lacks {
		say("%s: its changes pass by and nothing is streamed; run 'pgdeid migrate up --target source', "+
			"then 'pgdeid run' copies again what passed by", what)
	}
	for _, t := range s.rejoined {
		say("table %s lacks changes (%s): 'pgdeid run' copies it again, by itself", t.Table, t.Why)
	}
	for _, c := range s.Copies {
		if c.Again != "" && !c.Done {
			say("table %s is copied again (%s), and lacks changes until then: 'pgdeid run' does it by itself", c.Table, c.Again)
		}
	}
	position, errPosition := pglogrepl.ParseLSN(s.Position)
	end, errEnd := pglogrepl.ParseLSN(s.SourceEnd)
	if errPosition == nil && errEnd == nil && position > end {
		say("the replica's position %s is ahead of the source's WAL, which ends at %s: the source was restored from an older backup; %s",
			s.Position, s.SourceEnd, source.ReconcileHint)
	}
}
