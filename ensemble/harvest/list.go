package harvest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/inclusion"
)

// Origin is how an entry came into a list.
type Origin string

// The origins.
const (
	Harvested Origin = "harvest" // proposed by this package and reviewed
	Marked    Origin = "marked"  // unmarked in annotated or corrected text
)

// Verified is an entry that a person has verified.
type Verified struct {
	Kind     Kind            `json:"kind"`
	Text     string          `json:"text"`
	Detail   json.RawMessage `json:"detail,omitempty"`
	Reviewer string          `json:"reviewer"`
	At       time.Time       `json:"at"`
	Origin   Origin          `json:"origin"`
	Notes    int64           `json:"notes,omitempty"` // number of notes with it when it was harvested; 0: unknown
}

// ID returns the entry's [IDOf].
func (v *Verified) ID() string { return IDOf(v.Kind, v.Text) }

func (v *Verified) check() error {
	if err := checkText(v.Kind, v.Text); err != nil {
		return err
	}
	switch {
	case v.Reviewer == "" || v.At.IsZero():
		return errors.New("it does not say who verified it, and when")
	case v.Origin != Harvested && v.Origin != Marked:
		return errors.New("its origin is unknown")
	}
	return nil
}

// List is the verified entries without duplicates, ordered by kind and text.
type List []Verified

// NewList returns entries as a list. Of duplicates it keeps the first.
func NewList(entries []Verified) List {
	list := slices.Clone(entries)
	slices.SortStableFunc(list, func(a, b Verified) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text)) })
	return slices.CompactFunc(list, func(a, b Verified) bool { return a.Kind == b.Kind && a.Text == b.Text })
}

// Digest identifies the effect of the list on detection, independent of who verified it when; it
// is "" for an empty list.
func (l List) Digest() string {
	if len(l) == 0 {
		return ""
	}
	h := sha256.New()
	for _, v := range l {
		for _, part := range []string{string(v.Kind), v.Text, canonical(v.Detail)} {
			_, _ = fmt.Fprintf(h, "%d:%s,", len(part), part) // a hash never fails
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// canonical writes a detail in canonical form, so that formatting makes no difference.
func canonical(detail json.RawMessage) string {
	var v any
	in := json.NewDecoder(bytes.NewReader(detail))
	in.UseNumber()
	if err := in.Decode(&v); err != nil {
		return string(detail)
	}
	text, err := json.Marshal(v) // with sorted keys
	if err != nil {
		return string(detail)
	}
	return string(text)
}

// Of yields the entries of one kind.
func (l List) Of(kind Kind) iter.Seq[Verified] {
	return func(yield func(Verified) bool) {
		for _, v := range l {
			if v.Kind == kind && !yield(v) {
				return
			}
		}
	}
}

// Inclusion returns the sentences of the list; nil if there are none.
func (l List) Inclusion() *inclusion.List {
	in := inclusion.New(func(yield func(string) bool) {
		for v := range l.Of(Sentence) {
			if !yield(v.Text) {
				return
			}
		}
	})
	if in.Len() == 0 {
		return nil
	}
	return in
}

// WriteList writes a list into a file that only its owner can read.
func WriteList(path string, l List) error {
	return writeEntries(path, header{Format: listFormat, Digest: l.Digest()}, l)
}

// ReadList reads the output of [WriteList]. It refuses a file that was edited by hand, as the
// edits are not verified.
func ReadList(path string) (List, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	list, err := ParseList(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

// ParseList is [ReadList] for a reader.
func ParseList(r io.Reader) (List, error) {
	h, entries, err := readEntries(r, listFormat, (*Verified).check)
	if err != nil {
		return nil, err
	}
	list := NewList(entries)
	if list.Digest() != h.Digest {
		return nil, errors.New("it was changed after it was written: 'pgdeid harvest export' writes it anew")
	}
	return list, nil
}
