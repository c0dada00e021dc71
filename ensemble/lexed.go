package ensemble

import "github.com/pgdeid/pgdeid/ensemble/lexicon"

// Entries returns what the lexicon knows of each token, computed once for all
// members: entry i belongs to token i and is zero for unknown words, numbers and
// punctuation. The slice is shared: read only.
func (n *Note) Entries() []lexicon.Entry {
	if n.entries == nil {
		tokens := n.Tokens()
		n.entries = make([]lexicon.Entry, len(tokens))
		for i, t := range tokens {
			if t.Kind == Word {
				n.entries[i], _ = lexicon.Lookup(n.Text[t.Start:t.End])
			}
		}
	}
	return n.entries
}
