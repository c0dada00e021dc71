package harvest

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// show prints a proposal.
func (r *Reviewer) show(p Proposal, i, of int) error {
	end := r.LineEnd
	var b strings.Builder
	fmt.Fprintf(&b, "%s%d of %d: in %d notes, of %d patients and by %d authors at least", end, i+1, of, p.Notes, p.Patients, p.Authors)
	if p.Clinical {
		b.WriteString(", clinical")
	}
	b.WriteString(end)
	for _, a := range p.Attention() {
		b.WriteString(a + end)
	}
	fmt.Fprintf(&b, "%s    %s%s%s", end, p.Shown(), end, end)
	if v, ok := r.Journal.Of(p.ID); ok {
		fmt.Fprintf(&b, "decided: %s, by %s%s", v.Decision, visible(v.Reviewer), end)
	}
	_, err := fmt.Fprint(r.Out, b.String())
	return err
}

// Shown returns the proposal's text as a person is shown it.
func (p *Proposal) Shown() string { return visible(p.Text) }

// Attention lists what a person should look at in a proposal.
func (p *Proposal) Attention() []string {
	var list []string
	switch {
	case p.Suspect && p.Kind == Template:
		list = append(list, "attention: a word of its own is where a more frequent form has PHI")
	case p.Suspect:
		list = append(list, "attention: a detector sees PHI in it")
	}
	if names := nameWords(p.plain()); len(names) > 0 {
		list = append(list, "names in it, or words that are names too: "+visible(strings.Join(names, ", ")))
	}
	return list
}

// Question is what a person is asked about a proposal.
func (p *Proposal) Question() string {
	if p.Kind == Template {
		return "PHI between < and > wherever this occurs, and none elsewhere in it?"
	}
	return "no PHI in it?"
}

// visible escapes what a terminal would interpret: a note may contain any byte and could move the
// cursor and overwrite text. A gap between columns becomes an arrow.
func visible(s string) string {
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == '\t':
			b.WriteString(" → ")
		case unicode.IsPrint(c):
			b.WriteRune(c)
		default:
			fmt.Fprintf(&b, "<U+%04X>", c)
		}
	}
	return b.String()
}

// oftenName is the frequency from which a name is pointed out, on the lexicon's scale of 8*log2 of
// people in 10 million.
const oftenName = 80

// nameWords returns the capitalised words of a sentence that are frequent names.
func nameWords(s string) []string {
	var out []string
	for _, t := range text.Tokenize(s) {
		w := s[t.Start:t.End]
		if t.Kind != text.Word || t.Case == text.Lower || t.End-t.Start < 2 || slices.Contains(out, w) {
			continue
		}
		if e, ok := lexicon.Lookup(w); ok && max(e.Surname, e.First) >= oftenName {
			out = append(out, w)
		}
	}
	return out
}
