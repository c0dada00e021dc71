package surrogate

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
	"github.com/pgdeid/pgdeid/surrogate/date"
)

// Span is a range of the output text, in code points, and what it replaced. Spans that were kept
// (by an [Action], or ages up to 89) are not included.
type Span struct {
	Start, End int
	Type       phi.Type
	By         phi.Votes
	Was        phi.Range // what it replaces: bytes of the input
}

// Result is a text with surrogates in place of its spans.
type Result struct {
	phi.Redacted

	Text  string
	Spans []Span  // of the output, in order; adjacent spans of one type are joined
	New   []Entry // entries to store with the row, in the same transaction
	// Segments are all ranges of the input that the output has something else for, in order: also those without a
	// span, which nothing takes the place of. What lies between them is the same in both texts.
	Segments []Segment
}

// Segment is a range of the input and the range of the output in its place, both in bytes.
type Segment struct{ In, Out phi.Range }

// ErrLeak means that an output text contains an identifier of the patient. The note must not be
// published.
var ErrLeak = errors.New("the de-identified text contains an identifier of the patient")

// maxHeals limits how often a text is replaced again with what the leak check found.
const maxHeals = 3

// Replace puts surrogates in place of spans (byte offsets; sorted, not overlapping, as an Ensemble
// returns them) and runs the leak check. What the check finds is treated as spans that the
// ensemble missed, and the text is replaced again, up to three times; an identifier left after
// that is ErrLeak. After an error the book is unchanged, and no error quotes the text.
func (b *Book) Replace(s string, spans []phi.Span) (Result, error) {
	if err := text.Check(s); err != nil {
		return Result{}, err
	}
	if err := checkSpans(s, spans); err != nil {
		return Result{}, err
	}
	spans = wholeNumbers(s, spans)
	b.mu.Lock()
	defer b.mu.Unlock()
	for range maxHeals + 1 {
		out, leaks, res, err := b.attempt(s, spans)
		if err != nil || len(leaks) == 0 {
			return res, err
		}
		healed, ok := out.healed(leaks)
		if !ok {
			break
		}
		spans = healed
	}
	return Result{}, ErrLeak
}

// attempt replaces spans. Its additions to the book are kept only if nothing leaks.
func (b *Book) attempt(text string, spans []phi.Span) (out *output, leaks []phi.Range, res Result, err error) {
	w := &work{Book: b}
	defer w.discard()
	out = w.replace(text, spans)
	if w.err != nil {
		return nil, nil, Result{}, w.err
	}
	if leaks = out.leaks(); len(leaks) == 0 {
		res = Result{Text: out.text, Spans: out.codePoints(), New: w.entries(), Segments: out.replaced()}
	}
	return out, leaks, res, nil
}

// checkSpans protects the slicing below from spans of a broken detector.
func checkSpans(text string, spans []phi.Span) error {
	end := 0
	for i, s := range spans {
		if s.Start < end || s.End <= s.Start || s.End > len(text) ||
			!utf8.RuneStart(text[s.Start]) || s.End < len(text) && !utf8.RuneStart(text[s.End]) {
			return fmt.Errorf("span %d of %d (bytes %d to %d) is out of order, empty or off a character's border", i+1, len(spans), s.Start, s.End)
		}
		end = s.End
	}
	return nil
}

func (w *work) replace(text string, spans []phi.Span) *output {
	w.prepare(text, spans)
	o := &output{work: w, input: text, segments: make([]segment, 0, len(spans))}
	var out strings.Builder
	out.Grow(len(text) + len(text)/16)
	at := 0
	for i, s := range spans {
		if s.Start < at { // an age covered the words after it
			continue
		}
		out.WriteString(text[at:s.Start])
		limit := len(text)
		if i+1 < len(spans) {
			limit = spans[i+1].Start
		}
		repl, end, kept := w.span(text, spans, i, limit)
		start := out.Len()
		out.WriteString(repl)
		o.segments = append(o.segments, segment{phi.Range{Start: s.Start, End: end}, phi.Range{Start: start, End: out.Len()}, s, kept})
		at = end
	}
	out.WriteString(text[at:])
	o.text = out.String()
	return o
}

// prepared is what is known of a span before any text is replaced.
type prepared struct {
	phi.Redacted

	was   string     // the span's text, in plain letters
	text  string     // of a date or a place: the same
	words []nameWord // of a name
	dates date.Text  // of a date
	typ   phi.Type   // of a place
	town  string     // of a county: the town before it
	at    Address    // what the text has with a town, or behind a county
}

// prepare reads all spans of a text, as the replacement of one may depend on others.
func (w *work) prepare(text string, spans []phi.Span) {
	w.spans = make([]prepared, len(spans))
	for i, s := range spans {
		if w.actions[s.Type] != Replace {
			continue
		}
		was := w.who.Read(text[s.Start:s.End])
		w.spans[i].was = was
		switch s.Type {
		case phi.Patient, phi.Doctor:
			w.spans[i].words = splitName(was, w.people())
			w.people().meet(w.spans[i].words)
		case phi.Date:
			w.spans[i].text = was
			w.spans[i].dates = date.Read(was)
		default:
			if s.Type.Class() == phi.ClassLocation {
				w.spans[i].text, w.spans[i].typ = was, s.Type
			}
			if s.Type == phi.City || s.Type == phi.County {
				w.spans[i].at = addressAfter(text, spans, i)
			}
			if before := i - 1; s.Type == phi.County && before >= 0 && spans[before].Type == phi.City && s.Start-spans[before].End <= near {
				w.spans[i].town, w.spans[i].at = w.spans[before].text, w.spans[before].at
			}
		}
	}
	w.relateDates()
}

// span returns the replacement of span i, the end of what it replaces (after the span's end for
// "92" before "-year-old"; at most limit), and whether it was kept.
func (w *work) span(text string, spans []phi.Span, i, limit int) (repl string, end int, kept bool) {
	s := spans[i]
	was := text[s.Start:s.End]
	action := w.actions[s.Type]
	switch {
	case action == Keep:
		return was, s.End, true
	case s.Type == phi.Age:
		return w.ageSpan(was, text[s.End:limit], s.End, action)
	case action == Tag:
		return tag(s.Type), s.End, false
	}
	was = w.spans[i].was
	switch s.Type {
	case phi.Patient, phi.Doctor:
		return w.nameOf(was, w.spans[i].words), s.End, false
	case phi.Date:
		return w.date(was, w.spans[i].dates), s.End, false
	case phi.City:
		return w.city(was, w.spans[i].at), s.End, false
	case phi.County:
		return w.county(was, &w.spans[i]), s.End, false
	default:
		return w.surrogate(was, s.Type), s.End, false
	}
}

func (w *work) ageSpan(was, next string, end int, action Action) (string, int, bool) {
	to, covers := age(was, next)
	switch {
	case to == was:
		return was, end, true
	case action == Tag:
		return tag(phi.Age), end, false
	default:
		return to, end + covers, false
	}
}

func tag(t phi.Type) string { return "[" + t.String() + "]" }

// surrogate replaces a text of a type that needs no context.
func (w *work) surrogate(was string, t phi.Type) string {
	switch t {
	case phi.Hospital, phi.Organization:
		return w.facility(was)
	case phi.Street:
		return w.street(was)
	case phi.State:
		return w.state(was)
	case phi.Country:
		return w.country(was)
	case phi.County, phi.LocationOther:
		return w.place(was)
	case phi.Zip:
		return w.zip(was)
	case phi.Email:
		return w.email(was)
	case phi.URL:
		return w.url(was)
	case phi.IPAddr:
		return w.ip(was)
	case phi.Profession:
		return w.job(was)
	default:
		return w.id(was, t)
	}
}
