package template

// Wider returns the templates of the set that fit every sentence that t fits, and more: they
// have slots where t has literal words.
func (s *Set) Wider(t *Template) []*Template {
	nodes := []int32{0}
	for _, it := range t.items {
		var next []int32
		class := it.slot
		if class == 0 {
			class = nextTerm(it.text, 0).class
		}
		for _, node := range nodes {
			edges := []edge{{node: node, slot: class, gap: it.gap}, {node: node, slot: MixedSlot, gap: it.gap}}
			if class == 0 || class == MixedSlot {
				edges = edges[:1]
			}
			if word := s.words[it.text]; it.slot == 0 && word != 0 {
				edges = append(edges, edge{node: node, word: word, gap: it.gap})
			}
			for _, e := range edges {
				if to, ok := s.edges[e]; ok {
					next = append(next, to)
				}
			}
		}
		nodes = next
	}
	var out []*Template
	form := t.Form()
	for _, node := range nodes {
		if n := s.ends[node]; n != 0 && s.list[n-1].Form() != form {
			out = append(out, s.list[n-1])
		}
	}
	return out
}
