package harvest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/pgdeid/pgdeid/ensemble/template"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// The file formats.
const (
	proposalFormat = "pgdeid proposals"
	listFormat     = "pgdeid verified"
)

// header is the first line of a file; the other lines are its entries, also JSON.
type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"` // version of the format
	Entries int    `json:"entries"` // number of lines that follow, to detect truncation
	Digest  string `json:"digest,omitempty"`
}

// writeEntries writes a file of the format. An existing file stays until the new one is complete.
func writeEntries[T any](path string, h header, entries []T) error {
	h.Version, h.Entries = 1, len(entries)
	return replaceFile(path, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(h); err != nil {
			return err
		}
		for i := range entries {
			if err := enc.Encode(&entries[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// readEntries reads a file of the format. check validates each entry. Errors name lines and quote
// no content.
func readEntries[T any](r io.Reader, format string, check func(*T) error) (header, []T, error) {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxEntry)
	h, number := header{}, 1
	if !in.Scan() || json.Unmarshal(in.Bytes(), &h) != nil || h.Format != format {
		return h, nil, fmt.Errorf("it is no file of %q", format)
	}
	if h.Version != 1 {
		return h, nil, fmt.Errorf("it has version %d of the format, this program reads 1", h.Version)
	}
	var entries []T
	for in.Scan() {
		number++
		var e T
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			return h, nil, fmt.Errorf("line %d: not valid", number)
		}
		if err := check(&e); err != nil {
			return h, nil, fmt.Errorf("line %d: %w", number, err)
		}
		entries = append(entries, e)
	}
	if err := in.Err(); err != nil {
		return h, nil, err
	}
	if len(entries) != h.Entries {
		return h, nil, fmt.Errorf("it has %d entries and was written with %d", len(entries), h.Entries)
	}
	return h, entries, nil
}

// maxEntry is the maximum length of a line.
const maxEntry = 4 << 20

var (
	errKind = errors.New("its kind is unknown")
	errID   = errors.New("its id is not that of its text: the text was changed by hand")
	errText = errors.New("its text is not a sentence as pgdeid writes them")
)

// checkText returns an error for a text that is not a valid sentence or template.
func checkText(kind Kind, s string) error {
	if !kind.valid() {
		return errKind
	}
	if err := text.Check(s); err != nil {
		return err
	}
	if kind == Template {
		_, err := template.Parse(s)
		return err
	}
	if s == "" || kind == Sentence && string(text.AppendSentence(nil, s)) != s {
		return errText
	}
	return nil
}

// WriteProposals writes proposals into a file that only its owner can read.
func WriteProposals(path string, list []Proposal) error {
	return writeEntries(path, header{Format: proposalFormat}, list)
}

// ReadProposals reads a file of proposals.
func ReadProposals(path string) ([]Proposal, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	list, err := parseProposals(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

func parseProposals(r io.Reader) ([]Proposal, error) {
	_, list, err := readEntries(r, proposalFormat, func(p *Proposal) error {
		if err := checkText(p.Kind, p.Text); err != nil {
			return err
		}
		if p.ID != IDOf(p.Kind, p.Text) {
			return errID
		}
		return nil
	})
	return list, err
}
