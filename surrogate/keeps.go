package surrogate

import "github.com/pgdeid/pgdeid/ensemble/record"

// Keeps reports whether what a role tells stays in texts as it is.
func (m *Maker) Keeps(role record.Role) bool { return m.actions[roleTypes[role]] == Keep }
