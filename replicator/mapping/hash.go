package mapping

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// Hash returns 32 hexadecimal digits that stand for what decides the output:
// tables and policies, profile, actions, date shifts and detectors, but not
// connections and limits. It is stored with each text and with the position, so
// that rows made under another mapping can be told.
func (c *Config) Hash() string {
	actions := map[string]string{}
	for t, a := range c.Surrogates.Actions {
		actions[t.String()] = string(a)
	}
	tables := slices.Clone(c.Tables)
	slices.SortFunc(tables, func(a, b Table) int {
		return strings.Compare(a.FullName(), b.FullName())
	})
	for i := range tables {
		tables[i].Columns = slices.Clone(tables[i].Columns)
		slices.SortFunc(tables[i].Columns, func(a, b Column) int { return strings.Compare(a.Name, b.Name) })
	}
	data, err := json.Marshal([]any{
		c.Surrogates.Profile, actions, c.Surrogates.Dates, c.Detect, c.PatientKey, tables,
	})
	if err != nil { // none of these types can fail to marshal
		data = []byte(err.Error())
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}
