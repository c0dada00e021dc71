package parts

import "sort"

// Shown returns the range of Text that shows a range of the document's bytes; false where a document within it shows them, which
// has bytes of its own. It is the way back of [Document.Origin].
func (d *Document) Shown(from, to int) (begin, end int, ok bool) {
	if from < 0 || to <= from || to > len(d.raw) {
		return 0, 0, false
	}
	first := sort.Search(len(d.parts), func(i int) bool { return int(d.parts[i].raw) > from })
	last := sort.Search(len(d.parts), func(i int) bool { return int(d.parts[i].raw) >= to })
	if last == len(d.parts) || last < first {
		return 0, 0, false
	}
	for i := first; i <= last; i++ {
		if d.parts[i].kind == nested {
			return 0, 0, false
		}
	}
	before := d.begin(first)
	begin = int(before.text)
	if d.parts[first].kind == run {
		begin += from - int(before.raw)
	}
	end = int(d.parts[last].text)
	if before = d.begin(last); d.parts[last].kind == run {
		end = int(before.text) + to - int(before.raw)
	}
	return begin, end, begin < end
}
