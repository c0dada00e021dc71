// Package matrix has what the Go clients have in common: the cases, and how a result is reported.
package matrix

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

// What the clients ask.
const (
	Notes    = "select note_id, patient_id::text, note from ward.note order by note_id"
	Table    = "select deid_note from deid.deidentify_all('ward.note') order by key::bigint"
	Outbox   = "select deid_note from deid.outbox where job = 'job' order by item"
	Unequal  = "select deid.deidentify_batch('{1,2}', '{a}')"
	Stranger = "select deid.deidentify('999999', 'for Brackenmark')"
)

// Note is the one note, and Slow a statement that takes minutes.
var Note, Slow = os.Getenv("CLIENTS_NOTE"), os.Getenv("CLIENTS_SLOW")

// Same checks the text of the one note.
func Same(text string) error {
	if want := os.Getenv("CLIENTS_WANT"); text != want {
		return fmt.Errorf("got %q, not %q", text, want)
	}
	return nil
}

// Thousand checks the texts of all notes.
func Thousand(texts []string) error {
	digest := sha256.Sum256([]byte(strings.Join(texts, "\n") + "\n"))
	if hex.EncodeToString(digest[:]) != os.Getenv("CLIENTS_DIGEST") {
		return fmt.Errorf("%d texts, but not those of the engine", len(texts))
	}
	return nil
}

// Refused checks that an error has a code and does not quote the note.
func Refused(err error, state, got string) error {
	switch {
	case err == nil:
		return errors.New("no error, not " + state)
	case got != state:
		return fmt.Errorf("%q, not %s: %w", got, state, err)
	case strings.Contains(err.Error(), "Brackenmark"):
		return errors.New("the error quotes the note")
	}
	return nil
}

// Case is a feature that a client has or has not.
type Case struct {
	Name string
	Run  func() error
}

// Report runs cases and prints a line for each; the client is called name
// and comes from a module.
func Report(name, module string, cases ...Case) {
	info, _ := debug.ReadBuildInfo()
	for _, m := range info.Deps {
		if m.Path == module {
			fmt.Println("version", name, m.Version)
		}
	}
	for _, c := range cases {
		if err := c.Run(); err != nil {
			fmt.Printf("fail %s: %s\n", c.Name, strings.Join(strings.Fields(err.Error()), " "))
		} else {
			fmt.Println("pass", c.Name)
		}
	}
}
