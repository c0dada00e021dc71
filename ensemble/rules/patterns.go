package rules

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/address"
	"github.com/pgdeid/pgdeid/ensemble/rules/age"
	"github.com/pgdeid/pgdeid/ensemble/rules/date"
	"github.com/pgdeid/pgdeid/ensemble/rules/ident"
	"github.com/pgdeid/pgdeid/ensemble/rules/net"
	"github.com/pgdeid/pgdeid/ensemble/rules/phone"
	"github.com/pgdeid/pgdeid/ensemble/rules/time"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// finders are the rules of one kind of PHI each. None depends on what another finds: of spans
// of equal length that overlap, the one of the finder that is named first stays.
var finders = [...]func(v *text.View, dst []phi.Span) []phi.Span{
	net.Find, date.Find, age.Find, phone.Find, address.Find, ident.Find, time.Find,
}

// Find appends the PHI that its form gives away: dates, times, ages, numbers, addresses of
// houses and of the net, in sorted, disjoint spans.
func Find(ctx context.Context, v *text.View, dst []phi.Span) ([]phi.Span, error) {
	var found []candidate
	var spans []phi.Span
	for rank, find := range finders {
		if err := ctx.Err(); err != nil {
			return dst, err
		}
		spans = find(v, spans[:0])
		for _, s := range spans {
			found = append(found, candidate{s, rank})
		}
	}
	return merge(v, found, dst), ctx.Err()
}
