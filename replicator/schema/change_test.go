package schema

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
)

// states makes a row with one value for each letter: present, null, unchanged or absent.
func states(letters string) []Value {
	row := make([]Value, len(letters))
	for i, l := range letters {
		switch l {
		case 'p':
			row[i] = Value{Text: fmt.Sprint("v", i), State: Present}
		case 'n':
			row[i].State = Null
		case 'u':
			row[i].State = Unchanged
		}
	}
	return row
}

// The table of these tests has the columns key, plain, text and one that is not published.
func changed(op Op, old, row string) *Change {
	c := &Change{Op: op, Table: &Table{ID: "ehr.note", Key: []int{0}, Publish: []int{0, 1, 2}, Texts: []int{2}}}
	if old != "" {
		c.Old = states(old)
	}
	if row != "" {
		c.Row = states(row)
	}
	return c
}

func TestIncompleteRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		op       Op
		old, row string
		want     bool
	}{
		{"all there", UpdateOp, "", "pppp", false},
		{"a text that stays", UpdateOp, "", "ppup", false},
		{"a text that stays under another key", UpdateOp, "p---", "ppup", true},
		{"another key, all there", UpdateOp, "p---", "pppp", false},
		{"another column not sent", UpdateOp, "", "pupp", true},
		{"a column not sent that is not published", UpdateOp, "", "pppu", false},
		{"an insert without its text", InsertOp, "", "ppup", true},
		{"nulls", UpdateOp, "", "pnnn", false},
		{"a deletion", DeleteOp, "p---", "", false},
	} {
		if got := changed(c.op, c.old, c.row).Incomplete(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestVanishedRowsAreDeleted(t *testing.T) {
	t.Parallel()
	for _, old := range []string{"", "p---"} {
		c := changed(UpdateOp, old, "pppp")
		before := c.Old
		if before == nil {
			before = c.Row
		}
		c.Vanish()
		if c.Op != DeleteOp || c.Row != nil || !slices.Equal(c.Old, before) {
			t.Errorf("old %q: %d, %v, %v", old, c.Op, c.Old, c.Row)
		}
	}
}

func TestKeyTextsNeedTheWholeKey(t *testing.T) {
	t.Parallel()
	table := &Table{Key: []int{2, 0}}
	for letters, want := range map[string][]string{"pnp": {"v2", "v0"}, "ppn": nil, "npp": nil, "upp": nil, "-pp": nil} {
		got, ok := table.KeyTexts(states(letters))
		if ok != (want != nil) || !slices.Equal(got, want) {
			t.Errorf("%s: %q %v", letters, got, ok)
		}
	}
	if _, ok := table.KeyTexts(nil); ok {
		t.Error("a row that is not there has a key")
	}
}

func TestRowOfTellsNullFromEmpty(t *testing.T) {
	t.Parallel()
	table := &Table{Columns: make([]Column, 3)}
	buffer := []byte("abc")
	row := table.RowOf([][]byte{buffer, nil, {}})
	buffer[0] = 'x' // the driver's memory is used again
	if want := []Value{{Text: "abc", State: Present}, {Text: "", State: Null}, {Text: "", State: Present}}; !slices.Equal(row, want) {
		t.Errorf("got %+v", row)
	}
}

func TestTextsAndSizesOfChanges(t *testing.T) {
	t.Parallel()
	for row, want := range map[string]bool{"ppp-": true, "ppn-": false, "ppu-": true} {
		if got := changed(UpdateOp, "", row).HasText(); got != want {
			t.Errorf("%s has a text: %v", row, got)
		}
	}
	c := changed(InsertOp, "", "ppn-")
	c.Row[1].Text = strings.Repeat("x", 5000)
	if c.Measure(); c.Size < RowCost+5000 {
		t.Errorf("%d bytes", c.Size)
	}
	gone := changed(DeleteOp, "p---", "")
	if gone.Measure(); gone.Size != RowCost {
		t.Errorf("a deletion has %d bytes", gone.Size)
	}
}

func TestChangesPrintThemselvesRedacted(t *testing.T) {
	t.Parallel()
	c := changed(UpdateOp, "p---", "pppp")
	c.Row[2].Text = "Quarkstein"
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "change", c, "value", c.Row[2])
	for _, text := range []string{
		log.String(), fmt.Sprintf("%v %+v %#v %s %q", c, c, c, c, c), fmt.Sprintf("%v %+v %#v %s %q", c.Row[2], c.Row[2], c.Row, c.Row, c.Row[2]),
	} {
		if strings.Contains(text, "Quark") || strings.Contains(text, "v0") || !strings.Contains(text, "[redacted]") {
			t.Errorf("printed %s", text)
		}
	}
}
