package desk

import (
	"context"

	"github.com/pgdeid/pgdeid/internal/review"
)

// Original reads the text of a note from the source with the rights of a role, in a transaction that can't write.
// Nothing is searched for in it.
func (d *Desk) Original(ctx context.Context, role string, of review.Item) (text string, err error) {
	err = d.with(ctx, func(c *connections) error {
		u, err := d.readAs(ctx, c.look, role, of)
		if err == nil {
			text = u.text
		}
		return err
	})
	return text, err
}
