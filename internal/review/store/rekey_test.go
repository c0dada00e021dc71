package store

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/surrogate"
)

// keys returns a key and the one after it.
func keys(t *testing.T) (old, next *surrogate.Key) {
	t.Helper()
	dir := t.TempDir()
	first, second := filepath.Join(dir, "key"), filepath.Join(dir, "key-2")
	err := surrogate.NewKeyFile(first)
	if err == nil {
		old, err = surrogate.ReadKey(first)
	}
	if err == nil {
		err = surrogate.NextKeyFile(second, old)
	}
	if err == nil {
		next, err = surrogate.ReadKey(second)
	}
	if err != nil {
		t.Fatal(err)
	}
	return old, next
}

// Of a text that is the one that was read the hash is made anew; of any other it becomes one that nothing has.
func TestHashesOfTextsUnderTheNextKey(t *testing.T) {
	t.Parallel()
	old, next := keys(t)
	r := &rekey{old: review.Hashes{Key: old}, now: review.Hashes{Key: next}}
	const text = "Mr. Ångström slept."
	if got := r.text(r.old.Text(text), text); !bytes.Equal(got, r.now.Text(text)) {
		t.Error("the same text has another hash")
	}
	for _, other := range []string{"", "Mr. Ångström slept. ", "Mr. Ångström"} {
		got := r.text(r.old.Text(text), other)
		if bytes.Equal(got, r.now.Text(text)) || bytes.Equal(got, r.now.Text(other)) || bytes.Equal(got, r.old.Text(text)) || len(got) != len(r.old.Text(text)) {
			t.Errorf("%q: a hash that a text has", other)
		}
		if !bytes.Equal(got, r.text(r.old.Text(text), other)) {
			t.Errorf("%q: two that were equal are not", other)
		}
	}
	if got := r.text(nil, text); got != nil {
		t.Error("what nobody has read has a hash")
	}
}

func TestMarksUnderTheNextKey(t *testing.T) {
	t.Parallel()
	old, next := keys(t)
	r := &rekey{old: review.Hashes{Key: old}, now: review.Hashes{Key: next}}
	const text = "Mr. Ångström slept."
	words := r.old.Words("17", "Ångström")
	for _, tt := range []struct {
		name, text string
		start, end int
		words      []byte
		there      bool
	}{
		{"the same text", text, 4, 12, words, true},
		{"something follows", text + " Well.", 4, 12, words, true},
		{"something came before", "Today " + text, 4, 12, words, false},
		{"the text is shorter", "Mr.", 4, 12, words, false},
		{"the note is gone", "", 4, 12, words, false},
		{"another patient's", text, 4, 12, r.old.Words("18", "Ångström"), false},
		{"a range that can't be", text, 12, 4, words, false},
		{"nothing was kept", text, 4, 12, nil, false},
	} {
		m := review.Mark{Start: tt.start, End: tt.end, Words: tt.words}
		if there := r.mark(&m, "17", "4711", tt.text); there != tt.there {
			t.Errorf("%s: there is %t", tt.name, there)
		}
		if same := bytes.Equal(m.Words, r.now.Words("4711", "Ångström")); same != tt.there || len(tt.words) > 0 && bytes.Equal(m.Words, tt.words) || len(m.Words) != len(tt.words) {
			t.Errorf("%s: hash %x", tt.name, m.Words)
		}
	}
}

func TestWhatIsCarriedOverPrintsNothing(t *testing.T) {
	t.Parallel()
	for _, v := range []any{
		carried{text: "Quarkstein"}, NextNote{Row: "Quarkstein", Text: "Quarkstein"}, listed{p: review.Phrase{Text: "Quarkstein"}},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if strings.Contains(fmt.Sprintf(verb, v), "Quarkstein") {
				t.Errorf("%s of %T shows the note", verb, v)
			}
		}
	}
}
