package overscrub

import (
	"bufio"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

//go:embed terms/*.txt
var files embed.FS

// Term is a word or phrase that is not PHI.
type Term struct {
	Text     string // as it is written first
	Category string
	Half     Half
	Cases    []Case
}

// Case is a term in a text: the bytes [Start, End) of Text are the term.
type Case struct {
	Text       string
	Start, End int
}

// Suite returns all terms, sorted by category and term.
func Suite() ([]Term, error) {
	b, err := readAll()
	if err != nil {
		return nil, err
	}
	return b.terms()
}

func readAll() (*builder, error) {
	names, err := fs.Glob(files, "terms/*.txt")
	if err != nil {
		return nil, err
	}
	b := newBuilder()
	for _, name := range names {
		file, err := files.Open(name)
		if err != nil {
			return nil, err
		}
		err = b.read(file)
		if err = errors.Join(err, file.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return b, nil
}

// builder collects the terms of files.
type builder struct {
	at         map[string]int // terms by their folded text
	list       []Term
	category   string
	contexts   map[string][]string // sentences with {}, by category
	unfinished []pending
}

// pending is a term that gets its cases from its category's sentences.
type pending struct {
	term int
	text string
	turn int // the first sentence that it gets
}

func newBuilder() *builder {
	return &builder{at: map[string]int{}, contexts: map[string][]string{}}
}

// read takes in a file. Its errors name the line.
func (b *builder) read(r io.Reader) error {
	b.category = ""
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		if err := b.line(strings.TrimSpace(sc.Text())); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return sc.Err()
}

func (b *builder) line(line string) error {
	if line == "" || line[0] == '#' {
		return nil
	}
	if line[0] == '@' {
		b.category = strings.TrimSpace(line[1:])
		return nil
	}
	if b.category == "" {
		return errors.New("want a category, as in @ drugs, before anything else")
	}
	switch line[0] {
	case '=':
		sentence := strings.ReplaceAll(strings.TrimSpace(line[1:]), `\n`, "\n")
		if strings.Count(sentence, slot) != 1 {
			return errors.New("want {} once in a sentence")
		}
		b.contexts[b.category] = append(b.contexts[b.category], sentence)
		return nil
	case '>':
		return b.own(strings.TrimSpace(line[1:]))
	}
	for text := range strings.SplitSeq(line, ";") {
		if text = strings.TrimSpace(text); text != "" {
			b.unfinished = append(b.unfinished, pending{b.term(text), text, len(b.unfinished)})
		}
	}
	return nil
}

// slot is the placeholder of the term in a sentence of a category.
const slot = "{}"

// own takes in a sentence that marks its terms; each gets a case.
func (b *builder) own(marked string) error {
	plain := strings.NewReplacer("[[", "", "]]", "").Replace(marked)
	found := false
	for rest, at := marked, 0; ; found = true {
		before, after, ok := strings.Cut(rest, "[[")
		if !ok {
			break
		}
		text, tail, closed := strings.Cut(after, "]]")
		if !closed || text == "" {
			return errors.New("want ]] behind [[ and a term between them")
		}
		at += len(before)
		i := b.term(text)
		b.list[i].add(plain[:at], text, plain[at+len(text):], asWritten)
		b.list[i].add(plain[:at], text, plain[at+len(text):], strings.ToUpper)
		rest, at = tail, at+len(text)
	}
	if !found {
		return errors.New("want a term in [[ and ]]")
	}
	return nil
}

// term returns the place of a term, a new one if need be. Upper and lower case are the
// same.
func (b *builder) term(text string) int {
	key := strings.ToLower(text)
	i, ok := b.at[key]
	if !ok {
		i = len(b.list)
		b.at[key] = i
		b.list = append(b.list, Term{Text: text, Category: b.category, Half: halfOf(text)})
	}
	return i
}

// terms finishes what waits for its category's sentences.
func (b *builder) terms() ([]Term, error) {
	for _, p := range b.unfinished {
		t := &b.list[p.term]
		sentences := b.contexts[t.Category]
		if len(sentences) < len(turns) {
			return nil, fmt.Errorf("category %s: want %d sentences or more, not %d", t.Category, len(turns), len(sentences))
		}
		for i, form := range turns {
			before, after, _ := strings.Cut(sentences[(p.turn+i)%len(sentences)], slot)
			t.add(before, atStart(before, p.text), after, form)
		}
	}
	slices.SortStableFunc(b.list, func(x, y Term) int {
		return cmp.Or(cmp.Compare(x.Category, y.Category), cmp.Compare(strings.ToLower(x.Text), strings.ToLower(y.Text)))
	})
	return b.list, nil
}
