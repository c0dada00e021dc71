package schema

import (
	"encoding/json"
)

// RowKey writes a published key as deid.note_provenance holds it.
func RowKey(key []string) string {
	data, err := json.Marshal(key)
	if err != nil {
		return "" // strings can't fail to marshal
	}
	return string(data)
}
