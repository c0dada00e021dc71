package synth

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// groupNames are the Census groups as gold files name them.
var groupNames = [lexicon.NumGroups]string{"White", "Black", "Hispanic", "Asian", "Native"}

// groupOf is the group of a name's slug.
var groupOf = func() map[string]lexicon.Group {
	all := map[string]lexicon.Group{}
	for g := range lexicon.NumGroups {
		all[groupSlug(g)] = g
	}
	return all
}()

// groupSlug names a Census group in the names of productions.
func groupSlug(g lexicon.Group) string { return strings.ToLower(GroupName(g)) }

// GroupName returns the name of a Census group.
func GroupName(g lexicon.Group) string {
	if g >= lexicon.NumGroups {
		return ""
	}
	return groupNames[g]
}

type exportSpan struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Type  string `json:"type"`
	Text  string `json:"text"`
}

type exportLine struct {
	ID      string        `json:"id"`
	Kind    Kind          `json:"kind"`
	Group   string        `json:"group"`
	Text    string        `json:"text"`
	Spans   []exportSpan  `json:"spans"`
	Patient record.Record `json:"patient,omitempty"`
}

// Export writes documents as JSON Lines: {"id","kind","group","text","spans":[{"start",
// "end","type","text"}],"patient"}. Offsets count Unicode code points.
func Export(w io.Writer, docs iter.Seq[Document]) error {
	out := bufio.NewWriterSize(w, 1<<20)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for d := range docs {
		line := exportLine{
			ID: fmt.Sprint(d.ID), Kind: d.Kind, Group: GroupName(d.Patient.Group), Text: d.Text,
			Spans: codePoints(d.Text, d.Spans), Patient: d.Patient.Record(),
		}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// codePoints turns spans in order from bytes to code points.
func codePoints(text string, spans []phi.Span) []exportSpan {
	out := make([]exportSpan, 0, len(spans))
	at, points := 0, 0
	advance := func(to int) int {
		points += utf8.RuneCountInString(text[at:to])
		at = to
		return points
	}
	for _, s := range spans {
		start := advance(s.Start)
		out = append(out, exportSpan{Start: start, End: advance(s.End), Type: s.Type.String(), Text: text[s.Start:s.End]})
	}
	return out
}
