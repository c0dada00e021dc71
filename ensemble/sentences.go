package ensemble

// Sentences returns the note's sentences in order. The slice is shared: read only.
func (n *Note) Sentences() []Range {
	if n.sentences == nil && n.Text != "" {
		n.sentences = []Range{{0, len(n.Text)}}
	}
	return n.sentences
}
