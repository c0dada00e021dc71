package json

// Known reports whether a string is one that is public, such as a code of a terminology, and returns how it is written. member
// returns another member of its object, as a [Converter] has it.
type Known func(value string, member func(name string) string) (string, bool)

// vouched reports whether strings of the path's text stay where they are known.
func (n *selected) vouched() bool {
	return n != nil && n.path != nil && n.path.Do == Show && n.path.Known != nil
}

// textUnlessKnown hands over a string that is known. It returns false, and has read nothing, for one that is text.
func (r *reader) textUnlessKnown() (bool, error) {
	r.value = r.pos
	var text []byte
	if err := r.characters(func(shown []byte, _ int) { text = append(text, shown...) }); err != nil {
		return false, err
	}
	if !r.keepKnown(string(text)) {
		r.pos = r.value
		return false, nil
	}
	r.finish()
	return true, nil
}

// keepKnown hands over a string that was read, if it is known.
func (r *reader) keepKnown(text string) bool {
	out, ok := r.here.path.Known(text, r.member)
	if !ok {
		return false
	}
	r.admit()
	if out != text {
		r.Drop(r.Input()[r.At():r.pos])
		r.Put(append(stringText{}.Append([]byte{'"'}, out), '"'))
	}
	return true
}
