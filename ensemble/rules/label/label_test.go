package label_test

import (
	"os"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/rules/label"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// at returns the view of a text without the sign ^ and the token behind the sign.
func at(t *testing.T, marked string) (*text.View, int) {
	t.Helper()
	before, after, ok := strings.Cut(marked, "^")
	if !ok {
		t.Fatalf("no sign in %q", marked)
	}
	v := text.NewView(before + after)
	for i, token := range v.Tokens {
		if token.Start >= len(before) {
			return v, i
		}
	}
	t.Fatalf("no token behind the sign in %q", marked)
	return nil, 0
}

func TestBefore(t *testing.T) {
	t.Parallel()
	for marked, want := range map[string]label.Label{
		"MRN: ^12":                       {Kind: label.Record, At: 0, Least: 3, Marked: true},
		"MRN ^12":                        {Kind: label.Record, At: 0, Least: 3},
		"Medical Record Number: ^1":      {Kind: label.Record, At: 1, Least: 3, Marked: true},
		"fax number is ^1":               {Kind: label.Fax, At: 0, Least: 7, Marked: true},
		"fax to the office at ^1":        {},
		"Medicare ID ^1":                 {Kind: label.Plan, At: 0, Least: 3, Marked: true},
		"Patient ID: ^1":                 {Kind: label.Generic, At: 1, Least: 3, Marked: true},
		"phone ID ^1":                    {Kind: label.Generic, At: 1, Least: 4},
		"case ^1":                        {Kind: label.ID, At: 0, Least: 5},
		"case: ^1":                       {Kind: label.ID, At: 0, Least: 5},
		"case # ^1":                      {Kind: label.ID, At: 0, Least: 3, Marked: true},
		"MRN 12; ^1":                     {},
		"MRN 12 ^1":                      {},
		"MRN, ^1":                        {},
		"MRN\n^1":                        {},
		"MRN:\n^1":                       {Kind: label.Record, At: 0, Least: 3, Marked: true},
		"Mr. ^1":                         {},
		"MR ^1":                          {Kind: label.Record, At: 0, Least: 4},
		"p: ^1":                          {Kind: label.Phone, At: 0, Marked: true},
		"p ^1":                           {},
		"REF ^1":                         {},
		"ref ^1":                         {Kind: label.ID, At: 0, Least: 5},
		"ICD-10 ^1":                      {},
		"ICD ^1":                         {Kind: label.Code, At: 0},
		"of the of the of the of the ^1": {},
		"zip ^1":                         {Kind: label.Zip, At: 0, Least: 4},
		"^1":                             {},
	} {
		v, i := at(t, marked)
		got := label.Before(v, i)
		if want.Kind == label.Phone {
			got.Marked = want.Marked // a telephone's label needs none
		}
		if got != want {
			t.Errorf("%q: %+v, want %+v", marked, got, want)
		}
	}
}

// kinds are the names of kinds in testdata/labels.txt.
var kinds = map[string]label.Kind{
	"none": label.None, "phone": label.Phone, "fax": label.Fax, "pager": label.Pager, "extension": label.Extension, "ssn": label.SSN,
	"record": label.Record, "plan": label.Plan, "account": label.Account, "license": label.License, "vehicle": label.Vehicle,
	"device": label.Device, "biometric": label.Biometric, "id": label.ID, "generic": label.Generic, "code": label.Code, "ip": label.IP,
	"zip": label.Zip, "address": label.Address, "login": label.Login,
}

// The file has a kind and a text on each line.
func TestLabels(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/labels.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		name, marked, ok := strings.Cut(strings.TrimRight(line, "\n"), " ")
		if !ok || name == "#" {
			continue
		}
		want, ok := kinds[name]
		if !ok {
			t.Fatalf("no kind is named %q", name)
		}
		seen[name] = true
		v, i := at(t, strings.ReplaceAll(marked, "⏎", "\n"))
		if got := label.Before(v, i); got.Kind != want {
			t.Errorf("%q: %+v, want %s", marked, got, name)
		}
	}
	if len(seen) != len(kinds) {
		t.Errorf("%d of %d kinds have cases", len(seen), len(kinds))
	}
}

// A label is before its value and at most as far as it is looked for, and what is behind the value changes nothing.
func FuzzBefore(f *testing.F) {
	for _, s := range []string{"MRN: 12", "IP address 1.2.3.4", "zip code 02115", "medical record number of the patient is 1", "::##", "é: 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := text.NewView(s)
		for i := range v.Tokens {
			l := label.Before(v, i)
			if l.Kind != label.None && (l.At >= i || l.At < i-10 || l.Least < 0) {
				t.Fatalf("%+v before token %d of %q", l, i, s)
			}
		}
	})
}

func TestAt(t *testing.T) {
	t.Parallel()
	for marked, want := range map[string]label.Kind{
		"^MRN 1": label.Record, "^pain": label.None, "^: 1": label.None, "^12": label.None, "^IP 1": label.IP, "^ip 1": label.None,
		"^Acct": label.Account, "^username": label.Login, "^f: 1": label.Fax, "^f 1": label.None,
	} {
		v, i := at(t, marked)
		if got := label.At(v, i); got != want {
			t.Errorf("%q: %d, want %d", marked, got, want)
		}
	}
}

func TestAnnounces(t *testing.T) {
	t.Parallel()
	for marked, want := range map[string]bool{"^MRN": true, "^number": true, "^the": true, "^pain": false, "^12": false} {
		v, i := at(t, marked)
		if got := label.Announces(v, i); got != want {
			t.Errorf("%q: %t", marked, got)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("words.txt")
	if err != nil {
		t.Fatal(err)
	}
	rulestest.Words(t, string(file))
}
