package parts

import (
	"unicode/utf8"
)

// Replace returns the document with edits done: sorted, disjoint ranges of Text. The first unit of text that an edit touches
// gets the whole replacement, the others that it touches vanish, and markup between them stays. What is not readable text
// and not layout is gone.
func (d *Document) Replace(edits []Edit) ([]byte, error) {
	out, _, err := d.ReplaceAt(edits, nil)
	return out, err
}

// ReplaceAt does what Replace does, and returns where places of the document are in what it returns. Places are offsets in
// bytes, which do not decrease; one within what an edit replaces is behind the edit's text, one within what is left out is
// where that was. Where the document was converted before it was read, no place is known: moved is nil.
func (d *Document) ReplaceAt(edits []Edit, places []int) (out []byte, moved []int, err error) {
	if err := d.check(edits); err != nil {
		return nil, nil, uneditable(err)
	}
	if d.converted {
		places = nil
	}
	r := replacement{doc: d, edits: edits, places: places, out: make([]byte, 0, len(d.raw))}
	for i := range d.parts {
		if err := r.part(i); err != nil {
			return nil, nil, uneditable(err)
		}
		r.reach(int(d.parts[i].raw))
	}
	if r.missed {
		return nil, nil, uneditable(errNoText)
	}
	r.reach(len(d.raw))
	return r.out, r.moved, nil
}

// check refuses edits that are no ranges of the text.
func (d *Document) check(edits []Edit) error {
	end := 0
	for _, e := range edits {
		switch {
		case e.Begin < 0 || e.End <= e.Begin || e.End > len(d.text) || !d.border(e.Begin) || !d.border(e.End):
			return errRange
		case e.Begin < end:
			return errOrder
		case !utf8.ValidString(e.Text):
			return errUTF8
		}
		end = e.End
	}
	return nil
}

// border reports whether a character begins or the text ends at an offset.
func (d *Document) border(offset int) bool {
	return offset == len(d.text) || utf8.RuneStart(d.text[offset])
}

// replacement is one pass over a document's parts.
type replacement struct {
	doc     *Document
	edits   []Edit // those that do not lie wholly before the current part
	written bool   // whether the text of the first of them has been written
	missed  bool   // whether an edit ended without its text written
	puts    int    // how many parts of kind put there were
	inner   int    // how many parts of kind nested there were
	places  []int  // of the document, that were not reached yet
	moved   []int  // where those that were reached are in out
	out     []byte
}

// reach notes that everything of the document before an offset has been written.
func (r *replacement) reach(raw int) {
	for len(r.places) > 0 && r.places[0] <= raw {
		r.moved = append(r.moved, len(r.out))
		r.places = r.places[1:]
	}
}

// raw writes bytes of the document as they are.
func (r *replacement) raw(from, to int) {
	for len(r.places) > 0 && r.places[0] <= to {
		r.moved = append(r.moved, len(r.out)+max(r.places[0]-from, 0))
		r.places = r.places[1:]
	}
	r.out = append(r.out, r.doc.raw[from:to]...)
}

func (r *replacement) part(i int) error {
	begin, end := r.doc.begin(i), r.doc.parts[i]
	switch end.kind {
	case kept:
		r.raw(int(begin.raw), int(end.raw))
	case put:
		r.put()
	case run, unit, fresh:
		r.text(begin, end)
	case gap:
		r.pass(int(end.text))
	case nested:
		return r.nested(begin, end)
	case dropped:
	}
	return nil
}

func (r *replacement) put() {
	r.out = append(r.out, r.doc.putAt(r.puts)...)
	r.puts++
}

// nested writes a document in a string, with the edits that lie in it.
func (r *replacement) nested(begin, end part) error {
	in := r.doc.inner[r.inner]
	r.inner++
	at, stop := int(begin.text), int(end.text)
	var list []Edit
	for at < stop && len(r.edits) > 0 && r.edits[0].Begin < stop {
		e := r.edits[0]
		here := Edit{max(e.Begin, at) - at, min(e.End, stop) - at, e.Text}
		if r.written {
			here.Text = ""
		}
		list = append(list, here)
		r.written = true
		if e.End > stop {
			break
		}
		r.pass(e.End)
	}
	out, err := in.doc.Replace(list)
	if err != nil {
		return err
	}
	if out, err = in.coding.Encode(out); err != nil {
		return err
	}
	r.out = r.doc.writers[end.writer].Append(r.out, string(out))
	return nil
}

// text writes a part of text: what no edit touches as it was, and the text of each edit where the edit first touches text.
func (r *replacement) text(begin, end part) {
	at, stop := int(begin.text), int(end.text)
	if at == stop {
		r.invisible(begin, end)
		return
	}
	whole := len(r.edits) == 0 || r.edits[0].Begin >= stop
	for at < stop {
		if len(r.edits) == 0 || r.edits[0].Begin >= stop {
			r.copy(begin, end, at, stop, whole)
			return
		}
		e := r.edits[0]
		if e.Begin > at {
			r.copy(begin, end, at, e.Begin, false)
		}
		if !r.written {
			r.out = r.doc.writers[end.writer].Append(r.out, e.Text)
			r.written = true
		}
		at = min(e.End, stop)
		if end.kind == run {
			r.reach(int(begin.raw) + at - int(begin.text))
		}
		r.pass(at)
	}
}

// copy writes text of a part that no edit touches.
func (r *replacement) copy(begin, end part, from, to int, whole bool) {
	switch {
	case end.kind == run:
		shift := int(begin.raw) - int(begin.text)
		r.raw(from+shift, to+shift)
	case end.kind == unit && whole:
		r.out = append(r.out, r.doc.raw[begin.raw:end.raw]...)
	default:
		r.out = r.doc.writers[end.writer].Append(r.out, r.doc.text[from:to])
	}
}

// invisible writes a unit that shows nothing, unless it lies within an edit.
func (r *replacement) invisible(begin, end part) {
	if len(r.edits) > 0 && r.edits[0].Begin < int(begin.text) {
		return
	}
	r.out = append(r.out, r.doc.raw[begin.raw:end.raw]...)
}

// pass goes on to the next edit where the current one ends at or before an offset of the text.
func (r *replacement) pass(at int) {
	for len(r.edits) > 0 && r.edits[0].End <= at {
		r.missed = r.missed || !r.written
		r.edits = r.edits[1:]
		r.written = false
	}
}
