package desk

import "context"

// Original reads the text of a note from the source with the rights of a role, in a transaction that can't write.
// Nothing is searched for in it.
func (d *Desk) Original(ctx context.Context, role string, at NoteAt) (text string, err error) {
	err = d.with(ctx, func(c *connections) error {
		u, err := d.readAs(ctx, c.look, role, at)
		if err == nil {
			text = u.text
		}
		return err
	})
	return text, err
}
