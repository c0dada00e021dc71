package phrases

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/site"
	"github.com/pgdeid/pgdeid/ensemble/text"
	"github.com/pgdeid/pgdeid/internal/review"
)

// Propose returns phrases that the decisions about the sample suggest, with what they come to in it: what was missed of
// the site in notes of several patients, and what was found there and is no PHI. Those that help most come first.
func (s *Sample) Propose(ctx context.Context, patients int) ([]review.Phrase, error) {
	var out []review.Phrase
	for _, p := range s.candidates() {
		if as, err := p.Site(); err != nil || site.Check(as) != nil {
			continue
		}
		var err error
		if p.Sample, err = s.Measure(ctx, &p); err != nil {
			return nil, err
		}
		if Fit(&p, patients) == nil && p.Sample.Missed+p.Sample.Alarms > 0 {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b review.Phrase) int {
		return cmp.Or(cmp.Compare(help(&b), help(&a)), cmp.Compare(a.Text, b.Text))
	})
	return out, nil
}

func help(p *review.Phrase) int { return p.Sample.Missed + p.Sample.Alarms }

// candidates returns the words of marks, each phrase once for each type; of what is no PHI also with the next word, since a
// name alone can't be listed: "Brown protocol" for "Brown".
func (s *Sample) candidates() []review.Phrase {
	var out []review.Phrase
	seen := map[string]bool{}
	add := func(words, typ string) {
		key := typ + " " + strings.Join(site.Words(words), " ")
		if !seen[key] && !strings.ContainsAny(words, "\n\r") {
			seen[key] = true
			out = append(out, review.Phrase{Text: words, Type: typ})
		}
	}
	for i := range s.notes {
		n := &s.notes[i]
		for j := range n.Marks {
			m := &n.Marks[j]
			words := n.Text[n.at[m.Start]:n.at[m.End]]
			switch m.Verdict {
			case review.Missed:
				add(words, m.Type)
			case review.Wrong:
				add(words, review.Never)
				add(words+n.next(n.at[m.End]), review.Never)
			}
		}
	}
	return out
}

// next returns the word behind an offset, with the space before it; "" where something else or the line's end comes first.
func (n *note) next(offset int) string {
	i, _ := slices.BinarySearchFunc(n.view.Tokens, offset, func(t text.Token, at int) int { return cmp.Compare(t.Start, at) })
	if i == len(n.view.Tokens) || n.view.Tokens[i].Kind != text.Word || n.view.Tokens[i].Line {
		return ""
	}
	end := n.view.Tokens[i].End
	if utf8.RuneCountInString(n.Text[offset:end]) > 40 {
		return ""
	}
	return n.Text[offset:end]
}
