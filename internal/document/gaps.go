package document

// Gaps returns what in a range of Text has no bytes in the document, in order: line breaks between blocks, tabs between
// cells. What is on both sides of one comes from two places of the document.
func (d *Document) Gaps(begin, end int) [][2]int {
	var list [][2]int
	for i := d.showing(begin); i < len(d.parts); i++ {
		from, to := max(begin, int(d.begin(i).text)), min(end, int(d.parts[i].text))
		if from >= end {
			break
		}
		switch last := len(list) - 1; {
		case d.parts[i].kind != gap || from >= to:
		case last >= 0 && list[last][1] == from:
			list[last][1] = to
		default:
			list = append(list, [2]int{from, to})
		}
	}
	return list
}
