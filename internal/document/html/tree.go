package html

import (
	"github.com/pgdeid/pgdeid/internal/document/markup"
)

// openElement is an element whose end tag has not come yet.
type openElement struct {
	name   string
	kind   element
	hidden bool // its text is not shown
}

// openElements are the elements that are open, outermost first. They follow the tree construction of the HTML Standard as
// far as it matters for what is hidden and where white space counts.
type openElements struct {
	stack  []openElement
	count  map[string]int
	hidden int // how many are hidden
	pre    int // in how many white space stays
}

// push opens an element and reports whether that is not too deep.
func (o *openElements) push(e openElement) bool {
	o.stack = append(o.stack, e)
	o.add(e, 1)
	return len(o.stack) <= markup.MaxDepth
}

func (o *openElements) add(e openElement, n int) {
	if o.count == nil {
		o.count = map[string]int{}
	}
	o.count[e.name] += n
	if e.hidden {
		o.hidden += n
	}
	if e.kind.pre {
		o.pre += n
	}
}

// cut closes the elements from an index on.
func (o *openElements) cut(from int) {
	for _, e := range o.stack[from:] {
		o.add(e, -1)
	}
	o.stack = o.stack[:from]
}

// imply closes what the start tag of an element ends.
func (o *openElements) imply(kind element) {
	for _, rule := range kind.ends {
		if o.any(rule.ends) {
			o.cut(o.outermost(rule))
		}
	}
}

func (o *openElements) any(names map[string]bool) bool {
	for name := range names {
		if o.count[name] > 0 {
			return true
		}
	}
	return false
}

// outermost returns the index of the outermost element that a rule ends, or the number of elements.
func (o *openElements) outermost(rule implied) int {
	found := len(o.stack)
	for i := len(o.stack) - 1; i >= 0 && !rule.upTo[o.stack[i].name]; i-- {
		if rule.ends[o.stack[i].name] {
			found = i
		}
	}
	return found
}

// end closes an element by its end tag. An end tag that ends nothing changes nothing.
func (o *openElements) end(name string, kind element) {
	if o.count[name] == 0 {
		return
	}
	for i := len(o.stack) - 1; i >= 0; i-- {
		e := o.stack[i]
		switch {
		case e.name == name && kind.formatting && kind.display == markup.Inline:
			o.remove(i)
			return
		case e.name == name:
			o.cut(i)
			return
		case e.name == "table", e.kind.border && !kind.tabular:
			return
		case e.kind.known && e.kind.display != markup.Inline && kind.display == markup.Inline && !kind.formatting:
			return
		}
	}
}

// remove closes one element, and none of those in it.
func (o *openElements) remove(i int) {
	o.add(o.stack[i], -1)
	o.stack = append(o.stack[:i], o.stack[i+1:]...)
}
