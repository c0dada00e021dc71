package features

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// spanOf marks the first occurrence of a word in a text.
func spanOf(t *testing.T, text, word string, kind phi.Type) phi.Span {
	t.Helper()
	at := strings.Index(text, word)
	if at < 0 {
		t.Fatalf("no %q in the text", word)
	}
	return phi.Span{Start: at, End: at + len(word), Type: kind}
}

// rowOf returns the columns of the first token with a text.
func rowOf(t *testing.T, note *ensemble.Note, word string) []uint8 {
	t.Helper()
	for i := range note.View().Tokens {
		if note.View().Str(i) == word {
			return Columns(note)[i*NumColumns : (i+1)*NumColumns]
		}
	}
	t.Fatalf("no token %q", word)
	return nil
}

func TestColumnsOfHits(t *testing.T) {
	t.Parallel()
	const text = "Ann Moss, seen by Dr. Zed at Mercy 02/20/2087, 555-0100, a@b.example"
	note := &ensemble.Note{Text: text, Known: &ensemble.Known{
		Record:    []phi.Span{spanOf(t, text, "Ann Moss", phi.Patient), spanOf(t, text, "Mercy", phi.Hospital)},
		Directory: []phi.Span{spanOf(t, text, "Zed", phi.Doctor), spanOf(t, text, "Mercy", phi.Hospital)},
		Rules: []phi.Span{
			spanOf(t, text, "02/20/2087", phi.Date), spanOf(t, text, "555-0100", phi.Phone), spanOf(t, text, "a@b.example", phi.Email),
		},
	}}
	for _, c := range []struct {
		word                     string
		record, directory, rules uint8
	}{
		{"Ann", 1, 0, 0},
		{"Moss", 1, 0, 0},
		{",", 0, 0, 0},
		{"seen", 0, 0, 0},
		{"Zed", 0, 1, 0},
		{"Mercy", 6, 2, 0},
		{"02", 0, 0, 5},
		{"/", 0, 0, 5},
		{"2087", 0, 0, 5},
		{"0100", 0, 0, 7},
		{"example", 0, 0, 10},
	} {
		row := rowOf(t, note, c.word)
		if row[ColumnRecord] != c.record || row[ColumnDirectory] != c.directory || row[ColumnRules] != c.rules {
			t.Errorf("%q: %v, want %d, %d, %d first", c.word, row, c.record, c.directory, c.rules)
		}
	}
}

// A token that a span overlaps in part belongs to it.
func TestColumnsOfHitsInsideATokenCount(t *testing.T) {
	t.Parallel()
	const text = "annmoss well"
	note := &ensemble.Note{Text: text, Known: &ensemble.Known{Record: []phi.Span{spanOf(t, text, "moss", phi.Patient)}}}
	if row := rowOf(t, note, "annmoss"); row[ColumnRecord] != recordName {
		t.Errorf("annmoss: %v", row)
	}
	if row := rowOf(t, note, "well"); row[ColumnRecord] != 0 {
		t.Errorf("well: %v", row)
	}
}

func TestColumnsOfWords(t *testing.T) {
	t.Parallel()
	note := &ensemble.Note{Text: "Boston MARY the January Monday 81 , qqzzx nurse Parkinson aspirin"}
	entry := func(word string) lexicon.Entry { e, _ := lexicon.Lookup(word); return e }
	for _, word := range []string{"Boston", "MARY", "the", "January", "qqzzx", "aspirin"} {
		e, row := entry(word), rowOf(t, note, word)
		want := []uint8{bucket(e.First), bucket(e.Surname), bucket(e.Common), bucket(e.Capital)}
		if !slices.Equal(row[ColumnFirst:ColumnPlaces], want) {
			t.Errorf("%s: %v, want %v of the lexicon", word, row[ColumnFirst:ColumnPlaces], want)
		}
	}
	for _, c := range []struct {
		word   string
		column int
		bit    uint8
	}{
		{"Boston", ColumnPlaces, 1},
		{"Boston", ColumnOthers, 8},
		{"January", ColumnOthers, 2},
		{"Monday", ColumnOthers, 4},
		{"nurse", ColumnWords, 8},
		{"Parkinson", ColumnWords, 2},
		{"aspirin", ColumnWords, 1},
	} {
		if row := rowOf(t, note, c.word); row[c.column]&c.bit == 0 {
			t.Errorf("%s: column %d is %d, want bit %d", c.word, c.column, row[c.column], c.bit)
		}
	}
	for _, word := range []string{"81", ",", "qqzzx"} {
		if row := rowOf(t, note, word); !slices.Equal(row, make([]uint8, NumColumns)) {
			t.Errorf("%s: %v, want blanks", word, row)
		}
	}
}

func TestBuckets(t *testing.T) {
	t.Parallel()
	for n, want := range map[uint8]uint8{0: 0, 1: 1, 23: 1, 24: 2, 47: 2, 48: 3, 215: 9, 216: 10, 239: 10, 255: 10} {
		if got := bucket(n); got != want {
			t.Errorf("%d: %d, want %d", n, got, want)
		}
	}
}

func TestBitsAreInOrder(t *testing.T) {
	t.Parallel()
	e := &lexicon.Entry{Flags: lexicon.State | lexicon.County | lexicon.Eponym | lexicon.BigCity}
	if got, want := WordColumns(e), [...]uint8{0, 0, 0, 0, 2 | 8, 2, 8}; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// Every type has a value in every column of hits, within the column's size.
func TestTypesHaveRoles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind                     phi.Type
		record, directory, rules uint8
	}{
		{phi.Patient, 1, 1, 1},
		{phi.Doctor, 1, 1, 1},
		{phi.Username, 5, 2, 6},
		{phi.Street, 2, 2, 2},
		{phi.Zip, 2, 2, 2},
		{phi.LocationOther, 2, 2, 2},
		{phi.Age, 7, 2, 3},
		{phi.Organization, 6, 2, 4},
		{phi.Hospital, 6, 2, 4},
		{phi.Date, 3, 2, 5},
		{phi.MedicalRecord, 5, 2, 6},
		{phi.SSN, 5, 2, 6},
		{phi.Phone, 4, 2, 7},
		{phi.Fax, 4, 2, 7},
		{phi.Profession, 8, 2, 8},
		{phi.Time, 8, 2, 9},
		{phi.URL, 4, 2, 10},
		{phi.IPAddr, 4, 2, 10},
	} {
		if got := [3]uint8{recordRole(c.kind), directoryRole(c.kind), RulesKind(c.kind)}; got != [3]uint8{c.record, c.directory, c.rules} {
			t.Errorf("%s: %v, want %d, %d, %d", c.kind, got, c.record, c.directory, c.rules)
		}
	}
	for _, kind := range phi.Types() {
		for column, value := range []uint8{recordRole(kind), directoryRole(kind), RulesKind(kind)} {
			if value == 0 || int64(value) >= columnSizes[column] {
				t.Errorf("%s: column %d is %d", kind, column, value)
			}
		}
	}
}

func TestColumnOffsets(t *testing.T) {
	t.Parallel()
	if want := [NumColumns]int64{0, 9, 12, 23, 34, 45, 56, 67, 83, 99}; ColumnOffsets != want {
		t.Errorf("offsets %v, want %v", ColumnOffsets, want)
	}
}

// The training code has the same columns in the same order and sizes.
func TestColumnsAreThoseOfTraining(t *testing.T) {
	t.Parallel()
	code, err := os.ReadFile("../../models/train/features.py")
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int64
	for _, size := range regexp.MustCompile(`\d+`).FindAllString(assigned(t, string(code), "SIZES"), -1) {
		n, err := strconv.ParseInt(size, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, n)
	}
	if !slices.Equal(sizes, columnSizes[:]) {
		t.Errorf("training has the sizes %d, the columns have %d", sizes, columnSizes)
	}
	// The names of the columns there, by their numbers here.
	want := [NumColumns]string{
		ColumnRecord: "record", ColumnDirectory: "directory", ColumnRules: "rules", ColumnFirst: "first", ColumnSurname: "surname",
		ColumnCommon: "common", ColumnCapital: "capital", ColumnPlaces: "places", ColumnWords: "clinical", ColumnOthers: "calendar",
	}
	names := regexp.MustCompile(`\w+`).FindAllString(assigned(t, string(code), "NAMES"), -1)
	if !slices.Equal(names, want[:]) {
		t.Errorf("training has the columns %q, want %q", names, want)
	}
	if first := strings.Fields(assigned(t, string(code), "LEXICON"))[0]; first != strconv.Itoa(ColumnFirst) {
		t.Errorf("the lexicon's columns begin at %s in training, at %d here", first, ColumnFirst)
	}
}

// assigned returns what follows "name = " on its line of Python code.
func assigned(t *testing.T, code, name string) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^` + name + ` = (.+)$`).FindStringSubmatch(code)
	if m == nil {
		t.Fatalf("no line begins with %s =", name)
	}
	return m[1]
}

func TestColumnsAreWithinTheirSizes(t *testing.T) {
	t.Parallel()
	for _, text := range ensembletest.Texts() {
		note := &ensemble.Note{Text: text.Text}
		columns := Columns(note)
		if len(columns) != len(note.View().Tokens)*NumColumns {
			t.Fatalf("%s: %d numbers for %d tokens", text.Name, len(columns), len(note.View().Tokens))
		}
		for i, value := range columns {
			if int64(value) >= columnSizes[i%NumColumns] {
				t.Fatalf("%s: column %d is %d", text.Name, i%NumColumns, value)
			}
		}
	}
}

// Columns are computed once, and again for a note with new hits.
func TestColumnsAreKept(t *testing.T) {
	t.Parallel()
	note := &ensemble.Note{Text: "seen by Zed"}
	first := Columns(note)
	if &first[0] != &Columns(note)[0] {
		t.Error("computed twice")
	}
	note.Known = &ensemble.Known{Directory: []phi.Span{spanOf(t, note.Text, "Zed", phi.Doctor)}}
	if row := rowOf(t, note, "Zed"); row[ColumnDirectory] != directoryName {
		t.Errorf("with new hits: %v", row)
	}
	if first[2*NumColumns+ColumnDirectory] != 0 {
		t.Error("what was handed out before has changed")
	}
}
