package ensemble

import (
	"context"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// asked is a member that learned and keeps what it was given.
type asked struct{ known []*Known }

func (*asked) Name() string { return "asked" }

func (a *asked) Detect(_ context.Context, note *Note, dst []phi.Span) ([]phi.Span, error) {
	a.known = append(a.known, note.Known)
	return dst, nil
}

func TestLearnedMembersAreGivenWhatIsKnown(t *testing.T) {
	t.Parallel()
	const text = "Zorva Quillan, seen by Dr. Wibberley on 02/20/2087"
	note := &Note{
		Text:      text,
		Patient:   record.NewGazetteer(record.Record{record.NameFirst: {"Zorva"}, record.NameLast: {"Quillan"}}),
		Directory: record.NewGazetteer(record.Record{record.NameFull: {"Otto Wibberley"}}),
	}
	member := &asked{}
	for _, c := range []struct {
		detectors                []string
		record, directory, rules string
	}{
		{[]string{"patterns", "record", "directory"}, "Zorva Quillan", "Wibberley", "02/20/2087"},
		{[]string{"record", "templates"}, "Zorva Quillan", "", ""},
		{[]string{"templates"}, "", "", ""},
	} {
		e, err := New(Options{Detectors: c.detectors, Members: []Member{{Detector: member}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Detect(t.Context(), note); err != nil {
			t.Fatal(err)
		}
		known := member.known[len(member.known)-1]
		for name, list := range map[string]struct {
			spans []phi.Span
			want  string
		}{"record": {known.Record, c.record}, "directory": {known.Directory, c.directory}, "rules": {known.Rules, c.rules}} {
			got := ""
			for _, s := range list.spans {
				got += text[s.Start:s.End]
			}
			if got != list.want {
				t.Errorf("%v: %s is %q, want %q", c.detectors, name, got, list.want)
			}
		}
	}
}
