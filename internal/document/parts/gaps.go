package parts

// Gaps returns what in a range of Text has no bytes in the document, in order: line breaks between blocks, tabs between
// cells. What is on both sides of one comes from two places of the document.
func (d *Document) Gaps(begin, end int) [][2]int {
	var list [][2]int
	d.gaps(begin, end, 0, &list)
	return list
}

// gaps adds the gaps of a range to a list, as they lie in the text of a document in which d's begins at an offset.
func (d *Document) gaps(begin, end, offset int, list *[][2]int) {
	for i := d.showing(begin); i < len(d.parts); i++ {
		first := int(d.begin(i).text)
		from, to := max(begin, first), min(end, int(d.parts[i].text))
		if from >= end {
			break
		}
		if from >= to {
			continue
		}
		switch d.parts[i].kind {
		case gap:
			addGap(list, offset+from, offset+to)
		case nested:
			d.within(i).gaps(from-first, to-first, offset+first, list)
		default:
		}
	}
}

// addGap adds a gap, or lengthens the last one that it follows.
func addGap(list *[][2]int, from, to int) {
	if last := len(*list) - 1; last >= 0 && (*list)[last][1] == from {
		(*list)[last][1] = to
		return
	}
	*list = append(*list, [2]int{from, to})
}
