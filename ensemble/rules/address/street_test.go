package address

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/rules/cue"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func finderOf(s string) *finder {
	return &finder{cue.NewFinder(text.NewView(s), words(), nil)}
}

// behind returns the text of the tokens [0, end).
func (f *finder) behind(end int) string {
	if end == 0 {
		return ""
	}
	return f.Text[:f.Tokens[end-1].End]
}

func TestHouse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"12 Elm": "12", "12B Elm": "12B", "12-14 Elm": "12-14", "12-14B Elm": "12-14B", "12 B Elm": "12", "12b Elm": "12", "12th Elm": "12",
		"12- Elm": "12", "12": "12",
	} {
		f := finderOf(in)
		if got := f.behind(f.house(0)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestPart(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Apt 4": "Apt 4", "Apt. 4B": "Apt. 4B", "Apt #4": "Apt #4", "# 4": "# 4", "#4": "#4", "Suite 210": "Suite 210", "Unit B": "Unit B",
		"apt 4-12": "apt 4-12", "Apt": "", "Apt Elm": "", "Elm 4": "", "Unit AB": "", "Apt\n4": "", "Apt 4 B": "Apt 4",
	} {
		f := finderOf("x " + in)
		end := f.part(1)
		got := ""
		if end > 0 {
			got = f.Text[f.Tokens[1].Start:f.Tokens[end-1].End]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestOpens(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"(12": true, ":12": true, "at:12": true, "10:12": false, "10 :12": true, ",12": true, "1,12": false, "-12": false, "/12": false, "a12": false,
	} {
		f := finderOf(in)
		last := len(f.Tokens) - 1
		if got := f.opens(last - 1); got != want {
			t.Errorf("%q: %t", in, got)
		}
	}
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"Dr Long": true, "Dr. Long": true, "Dr long": false, "Dr N": false, "Dr Apt 4": false, "Dr": false, "Dr\nLong": false, "Drive Long": false,
	} {
		if got := finderOf(in).doctor(0); got != want {
			t.Errorf("%q: %t", in, got)
		}
	}
}

func TestBox(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"PO Box 12": "PO Box 12", "P.O. Box 12": "P.O. Box 12", "P O Box 12": "P O Box 12", "PO Box #12": "PO Box #12", "PO Box 12-B": "PO Box 12-B",
		"POBox 12": "POBox 12", "Box 12": "", "PO Box": "", "PO Boxes 12": "", "PO\nBox 12": "", "PO bx 12": "PO bx 12", "bx 12": "",
	} {
		f := finderOf(in)
		got := ""
		for i := range f.Tokens {
			if from, end := f.box(i); end > 0 {
				got = f.Text[f.Tokens[from].Start:f.Tokens[end-1].End]
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestStateBefore(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"Boston, MA 02115": true, "Boston MA 02115": true, "Boston, ma 02115": true, "Boston ma 02115": false, "boston MA 02115": false,
		"Boston Ma 02115": false, "MA 02115": false, "in Texas 75001": true, "Boston, MA 0211": false, "Perth WA 6000": true, "Boston, MA      02115": false,
		"Boston, XX 02115": false, "12 OK 12345": false,
	} {
		f := finderOf(in)
		if got := f.stateBefore(len(f.Tokens)-1) > 0; got != want {
			t.Errorf("%q: %t", in, got)
		}
	}
}

func TestLetters(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"SW1A 2AA": "SW1A 2AA", "M1 1AE": "M1 1AE", "B33 8TH x": "B33 8TH", "K1A 0B1": "K1A 0B1", "K1A 0B1.": "K1A 0B1", "ZZ1 1AE": "",
		"M1 1AC": "", "M1 1AEX": "", "M1  1AE": "", "M1-1AE": "", "K1A-0B1": "", "D1A 0B1": "", "m1 1ae": "", "M1": "", "M": "",
	} {
		f := finderOf(in)
		if got := f.behind(f.letters(0)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
