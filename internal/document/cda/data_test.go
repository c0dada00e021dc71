package cda

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/cdatest"
	"github.com/pgdeid/pgdeid/internal/document/documenttest"
	"github.com/pgdeid/pgdeid/internal/document/parts"
)

// withoutText returns a document with other text in the place of all that it shows.
func withoutText(t *testing.T, d *parts.Document) []byte {
	t.Helper()
	var edits []parts.Edit
	for _, piece := range documenttest.Pieces(d) {
		edits = append(edits, parts.Edit{Begin: piece[0], End: piece[1], Text: "-"})
	}
	return documenttest.Replaced(t, d, edits)
}

func verifySample(t *testing.T, name string, input []byte) {
	t.Helper()
	d, err := format.Parse(input)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	out := documenttest.Replaced(t, d, nil)
	if !documenttest.WellFormed(out) {
		t.Errorf("%s is broken by replacing nothing", name)
	}
	if before, after := cdatest.Outline(d.Raw()), cdatest.Outline(out); !cdatest.Within(after, before) {
		t.Errorf("%s: the order of elements is another", name)
	}
	rest, _ := cdatest.Written(withoutText(t, d))
	left := strings.Join(rest, "\n")
	_, identifiers := cdatest.Written(d.Raw())
	for _, value := range identifiers {
		if len(value) > 3 && value != fixedExtension && (len(value) > 5 && strings.Contains(left, value) || slices.Contains(rest, value)) {
			t.Errorf("%s: an identifier of the header is left, of %d characters", name, len(value))
		}
	}
}

func TestSamplesOfCDA(t *testing.T) {
	t.Parallel()
	folder := cdatest.Folder(t)
	known := cdatest.Read(t, folder)
	for i, s := range known {
		verifySample(t, s.ID, s.Document())
		if i%50 == 0 {
			format.Verify(t, s.Document(), uint64(i))
		}
	}
	documents := 0
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.EqualFold(filepath.Ext(path), ".xml") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || !Begins(data) {
			return err
		}
		documents++
		verifySample(t, path, data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d documents written from samples, %d documents as they are", len(known), documents)
	if len(known)+documents == 0 {
		t.Error("the folder has no samples")
	}
}
