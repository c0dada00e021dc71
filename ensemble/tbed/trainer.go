package tbed

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/features"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

//go:embed templates.txt
var templatesText string

// Trainer collects notes with tagged tokens and learns rules from them. It is used by one
// goroutine.
type Trainer struct {
	table    *table
	patterns ensemble.Detector
	truths   map[truthKey]uint16
	seen     []map[features.Key]valueID // by attribute
	keys     []features.Key
	tags     []Tag
}

// truthKey identifies a truth.
type truthKey struct {
	tag    string
	marked uint64 // a bit for each type
}

// Example is a note with the gold tag of each of its tokens: "O", B- or I- before a type or a
// class (NAME, LOCATION, ORG, ID, CONTACT), or "*" if unknown.
type Example struct {
	// Source is for counts, and may be empty.
	Source string
	Note   *ensemble.Note
	Tags   []string
	// Marked reports whether the source marks a type completely. If it does not, an O says nothing
	// about this type. Nil means all.
	Marked func(phi.Type) bool
}

func (e Example) marks(t phi.Type) bool { return e.Marked == nil || e.Marked(t) }

func badTag(i int) error {
	return fmt.Errorf("tag %d is none: want O, *, or B- or I- with a type or class", i)
}

// NewTrainer returns a trainer without notes.
func NewTrainer() *Trainer {
	t := &Trainer{table: newTable(Attributes()), patterns: ensemble.NewPatterns(), truths: map[truthKey]uint16{}}
	for range unified {
		t.seen = append(t.seen, map[features.Key]valueID{0: silent})
	}
	return t
}

// maxTokens limits a table, whose tokens are numbered in 32 bits.
const maxTokens = 1 << 30

// Add adds a note. It fails if the tags don't match the note's tokens.
func (t *Trainer) Add(ctx context.Context, e Example) error {
	tokens := e.Note.View().Tokens
	if len(e.Tags) != len(tokens) {
		return fmt.Errorf("%d tags for %d tokens", len(e.Tags), len(tokens))
	}
	if t.table.tokens()+len(tokens)*(1+maxReach) > maxTokens {
		return errors.New("more text than can be learned from at once: draw a sample")
	}
	sheet, err := features.New(ctx, e.Note, features.Options{})
	if err != nil {
		return err
	}
	if t.tags, err = patternTags(ctx, t.patterns, e.Note, t.tags[:0]); err != nil {
		return err
	}
	gold, err := t.gold(e)
	if err != nil {
		return err
	}
	from := 0
	for _, to := range sentenceEnds(e.Note) {
		t.addSentence(sheet, gold, from, to)
		from = to
	}
	return nil
}

// addSentence adds the tokens [from, to) of a note.
func (t *Trainer) addSentence(sheet *features.Sheet, gold []uint16, from, to int) {
	t.keys = sheet.Keys(t.keys[:0], unified, from, to)
	for i := from; i < to; i++ {
		for a, attribute := range unified {
			key := t.keys[(i-from)*len(unified)+a]
			id, known := t.seen[a][key]
			if !known {
				id = t.number(a, sheet.Value(attribute, i))
				t.seen[a][key] = id
			}
			t.table.columns[a] = append(t.table.columns[a], id)
		}
		pattern := silent
		if t.tags[i] != Outside {
			pattern = t.table.dicts[patternColumn].number(t.tags[i].String())
		}
		t.table.columns[patternColumn] = append(t.table.columns[patternColumn], pattern)
	}
	t.table.tags = append(t.table.tags, t.tags[from:to]...)
	t.table.gold = append(t.table.gold, gold[from:to]...)
	t.table.sentences++
	t.table.words += to - from
	t.table.pad()
}

// number numbers a value, if rules may quote it.
func (t *Trainer) number(a int, value string) valueID {
	if quotes(unified[a]) && !ordinary(value) {
		return silent
	}
	return t.table.dicts[a].number(shown(unified[a], value))
}

// gold converts a note's tags to truths.
func (t *Trainer) gold(e Example) ([]uint16, error) {
	var set uint64
	for _, typ := range phi.Types() {
		if e.marks(typ) {
			set |= 1 << typ
		}
	}
	out := make([]uint16, len(e.Tags))
	for i, tag := range e.Tags {
		k := truthKey{tag, set}
		id, known := t.truths[k]
		if !known {
			truth, ok := truthOf(tag, e.marks)
			if !ok {
				return nil, badTag(i)
			}
			id = uint16(len(t.table.truths))
			t.table.truths = append(t.table.truths, truth)
			t.truths[k] = id
		}
		out[i] = id
	}
	return out, nil
}

// Learned is the result of training.
type Learned struct {
	// Rules are those of the initial annotator, then the learned ones.
	Rules []Rule
	// Initial is how many of them are the initial annotator's.
	Initial int
	// Sentences and Words are the amounts of training data.
	Sentences, Words int
	// ErrorsBefore and ErrorsAfter count the words with a tag known to be wrong, after the initial
	// annotator and at the end.
	ErrorsBefore, ErrorsAfter int
}

// Learn learns rules from the added notes. The trainer cannot be used afterwards, as its tags have
// changed.
func (t *Trainer) Learn(ctx context.Context, opts LearnOptions) (Learned, error) {
	if t.table.sentences == 0 {
		return Learned{}, errors.New("there is nothing to learn from: no sentence was read")
	}
	templates, err := parseTemplates(templatesText, t.table.attributes)
	if err != nil {
		return Learned{}, fmt.Errorf("templates.txt: %w", err)
	}
	initial, err := InitialRules()
	if err != nil {
		return Learned{}, err
	}
	out := Learned{Sentences: t.table.sentences, Words: t.table.words, Initial: len(initial)}
	for _, r := range initial {
		if r, err = t.table.run(r); err != nil {
			return Learned{}, err
		}
		out.Rules = append(out.Rules, r)
	}
	out.ErrorsBefore = t.table.errors()
	rules, err := newLearner(t.table, templates, opts).learn(ctx)
	if err != nil {
		return Learned{}, err
	}
	out.Rules = append(out.Rules, rules...)
	out.ErrorsAfter = t.table.errors()
	return out, nil
}
