package json

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/documenttest"
	"github.com/pgdeid/pgdeid/internal/document/parts"
	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// format is the format of this package.
var format = documenttest.Format{Name: "json", Read: Read}

func TestJSONText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, doc, want string }{
		{"strings are apart", `{"given": "Ann", "family": "Lee"}`, "Ann\nLee"},
		{"in any depth", `[["Ann"], {"a": {"b": [["Lee"]]}}]`, "Ann\nLee"},
		{"keys are layout", `{"Ann Lee": null}`, ""},
		{"a string alone", ` "Ann" `, "Ann"},
		{"nothing in it", `{"a": "", "b": [], "c": {}, "d": [{}]}`, ""},
		{"words", `[true, false, null]`, ""},
		{"short escapes", `"a\"b\\c\/d\be\ff\ng\rh\ti"`, "a\"b\\c/d\be\ff\ng\rh\ti"},
		{"long escapes", `"\u0041nn \u00e9 \u00E9"`, "Ann é é"},
		{"a surrogate pair", `"\ud83d\ude00"`, "😀"},
		{"a word cut by an escape", `"L\u0065e"`, "Lee"},
		{"JSON in a string stays a text", `{"note": "{\"name\": \"Ann\"}"}`, `{"name": "Ann"}`},
		{"numbers that may identify", `{"mrn": 12345, "zip": 2139, "ids": [1234567, 99999]}`, "12345\n1234567\n99999"},
		{"other numbers", `[1234, -12345, 12345.5, 1e10, 1E+10, 0, -0.5e-3]`, ""},
		{"a byte order mark", "\ufeff{\"a\": \"b\"}", "b"},
		{"white space", "\t[\r\n \"a\"\n,\"b\" ] \n", "a\nb"},
		{"one name in two objects", `[{"a": "1"}, {"a": "2", "b": {"a": "3"}}]`, "1\n2\n3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := format.Reads(t, tt.doc)
			if d.Text() != tt.want {
				t.Errorf("the text is %q, want %q", d.Text(), tt.want)
			}
			if got := string(documenttest.Replaced(t, d, nil)); got != tt.doc {
				t.Errorf("without edits it is %q, was %q", got, tt.doc)
			}
		})
	}
}

func TestJSONFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, doc, reason string
		offset            int
	}{
		{"nothing", "", "ends before its end", 0},
		{"space alone", " \n", "ends before its end", 2},
		{"an open object", `{"a": 1`, "ends before its end", 7},
		{"an open array", `[1,`, "ends before its end", 3},
		{"an open string", `["Marksman`, "a string without an end", 1},
		{"two values", `{} []`, "something comes behind", 3},
		{"a comma too many", `[1,]`, "no value begins", 3},
		{"a comma too many in an object", `{"a":1,}`, "no name of a member", 7},
		{"a comma first", `[,1]`, "no value begins", 1},
		{"no comma", `[1 2]`, "neither a comma", 3},
		{"the wrong bracket", `[1}`, "neither a comma", 2},
		{"no colon", `{"a" 1}`, "no colon", 5},
		{"no value", `{"a":}`, "no value begins", 5},
		{"a bare name", `{Marksman: 1}`, "no name of a member", 1},
		{"single quotes", `['Marksman']`, "no value begins", 1},
		{"a comment", `[1 /* Marksman */]`, "neither a comma", 3},
		{"a word", `[Marksman]`, "no value begins", 1},
		{"a number with zeros", `[007]`, "a number in no form", 1},
		{"a number without digits", `[-]`, "a number in no form", 1},
		{"a control character", "[\"a\nb\"]", "a control character", 3},
		{"an unknown escape", `["\x41"]`, "an escape in no form", 2},
		{"half an escape", `["\u00`, "an escape in no form", 2},
		{"an escape at the end", `["\`, "an escape without an end", 2},
		{"a NUL", `["a\u0000"]`, "a NUL character", 3},
		{"a high surrogate alone", `["\ud83d x"]`, "half of a surrogate pair", 2},
		{"a low surrogate alone", `["\ude00"]`, "half of a surrogate pair", 2},
		{"two high surrogates", `["\ud83d\ud83d"]`, "half of a surrogate pair", 2},
		{"a surrogate in a key", `{"\ud83d": 1}`, "half of a surrogate pair", 2},
		{"a name twice", `{"a": 1, "b": 2, "a": 3}`, "two members of one name", 17},
		{"a name twice, once escaped", `{"a": 1, "\u0061": 2}`, "two members of one name", 9},
		{"not UTF-8", "[\"a\xff\"]", "not UTF-8", 3},
		{"too deep", strings.Repeat("[", maxNesting+1), "nest too deep", maxNesting},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := format.Parse([]byte(tt.doc))
			var syntax *syntax.Error
			if !errors.As(err, &syntax) || !strings.Contains(syntax.Reason, tt.reason) || syntax.Offset != tt.offset {
				t.Fatalf("%v, want %q at byte %d", err, tt.reason, tt.offset)
			}
			if strings.Contains(err.Error(), "Marksman") {
				t.Errorf("the error quotes the document: %v", err)
			}
		})
	}
}

func TestJSONNestsAsDeepAsAllowed(t *testing.T) {
	t.Parallel()
	doc := strings.Repeat(`[{"a":`, maxNesting/2) + `"Ann"` + strings.Repeat(`}]`, maxNesting/2)
	if d := format.Reads(t, doc); d.Text() != "Ann" {
		t.Errorf("the text is %q", d.Text())
	}
}

// What is kept of a document grows with the number of its strings and escapes, not with their length.
func TestJSONIsKeptCompactly(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Ann slept. ", 100_000)
	if d := format.Reads(t, `{"a": "`+long+`", "b": ["`+long+`"]}`); d.Parts() != 6 {
		t.Errorf("%d parts of two strings", d.Parts())
	}
}

func TestJSONEdits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, doc, old, new, want string }{
		{"a word", `{"n": "Ann slept\u0021 ok"}`, "Ann", "Bea", `{"n": "Bea slept\u0021 ok"}`},
		{"with escapes", `["Ann"]`, "Ann", "\"\\\b\f\n\r\t\x01\x1f/é😀\u2028", `["\"\\\b\f\n\r\t\u0001\u001f/é😀` + "\u2028" + `"]`},
		{"a name with an escape in it", `["x \u0041n\u006e y"]`, "Ann", "Bea", `["x Bea y"]`},
		{"over two strings", `["Ann", "Lee"]`, "Ann\nLee", "Bea Roe", `["Bea Roe", ""]`},
		{"nothing", `["Ann"]`, "Ann", "", `[""]`},
		{"a surrogate pair", `["\ud83d\ude00"]`, "😀", "x", `["x"]`},
		{"white space and numbers stay", "{ \"a\" :\t[ 1.50,\n\"Ann\" ,1e2 ] }", "Ann", "Bea", "{ \"a\" :\t[ 1.50,\n\"Bea\" ,1e2 ] }"},
		{"a number", `{"mrn": 1234567}`, "1234567", "7654321", `{"mrn": 7654321}`},
		{"a number that becomes none", `{"mrn": 1234567}`, "1234567", "[MRN]", `{"mrn": "[MRN]"}`},
		{"a number with a zero in front", `{"mrn": 1234567}`, "1234567", "0123456", `{"mrn": "0123456"}`},
		{"a number that goes", `{"mrn": 1234567}`, "1234567", "", `{"mrn": null}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := format.Reads(t, tt.doc)
			at := strings.Index(d.Text(), tt.old)
			got := string(documenttest.Replaced(t, d, []parts.Edit{{Begin: at, End: at + len(tt.old), Text: tt.new}}))
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if !json.Valid([]byte(got)) {
				t.Errorf("%s is no JSON", got)
			}
		})
	}
}

func TestJSONOrigin(t *testing.T) {
	t.Parallel()
	d := format.Reads(t, `{"a": "x \u0041nn", "mrn": 1234567}`)
	for _, tt := range []struct{ shown, raw string }{
		{"Ann", `\u0041nn`}, {"x", "x"}, {"1234567", "1234567"}, {"nn\n12", `nn", "mrn": 12`},
	} {
		at := strings.Index(d.Text(), tt.shown)
		from, to := d.Origin(at, at+len(tt.shown))
		if got := string(d.Raw()[from:to]); got != tt.raw {
			t.Errorf("%q lies at %q, want %q", tt.shown, got, tt.raw)
		}
	}
}

func TestLooksLikeJSON(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]bool{
		`{"a": 1}`: true, " \n[1]": true, "[]": true, "{}": true,
		"": false, " ": false, "12": false, `"a"`: false, "null": false, "[Ann] slept": false, "{a}": false, `{"a": 1} and more`: false,
		"[**2018-3-4**]": false, `{\rtf1 Ann}`: false,
	} {
		if got := LooksLike([]byte(doc)); got != want {
			t.Errorf("%q: %v", doc, got)
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, doc := range []string{
		`{"given": ["Ann", "B."], "note": "x \u00e9 \ud83d\ude00 \"y\"", "mrn": 1234567, "t": [1.5, -2e9, true, null, {}]}`,
		"\ufeff[ \"a\\n\" ,\t\"\" ]", `"\ud83d"`, `{"a": 1, "a": 2}`, `[[[[]]]]`, `[1234567, "\\\/"]`, "[\"\x7f\u2028\"]",
	} {
		f.Add([]byte(doc), uint64(1))
	}
	f.Fuzz(func(t *testing.T, doc []byte, seed uint64) {
		d, err := format.Parse(doc)
		if err != nil {
			return
		}
		if !json.Valid([]byte(strings.TrimPrefix(string(doc), "\ufeff"))) {
			t.Errorf("%q is no JSON, and was read", doc)
		}
		if !holdsNumbers(doc) { // a part of a number can't be replaced by anything
			format.Verify(t, doc, seed)
			return
		}
		documenttest.VerifyParts(t, d)
		documenttest.VerifyOrigin(t, d)
		format.VerifyEdits(t, d, nil, d.Text())
	})
}

// holdsNumbers reports whether a document has numbers that are text.
func holdsNumbers(doc []byte) bool {
	decoder := json.NewDecoder(strings.NewReader(strings.TrimPrefix(string(doc), "\ufeff")))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if err != nil {
			return false
		}
		if n, ok := token.(json.Number); ok && len(n) >= identifyingDigits && onlyDigits(n) {
			return true
		}
	}
}

// Whatever is read has the strings that another reader finds in it, in the same order.
func FuzzJSONReadsWhatOthersRead(f *testing.F) {
	f.Add([]byte(`{"b": ["Ann", {"c": "\u00e9\t"}], "a": "Lee", "n": 1234567}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		d, err := format.Parse(doc)
		if err != nil {
			return
		}
		decoder := json.NewDecoder(strings.NewReader(strings.TrimPrefix(string(doc), "\ufeff")))
		decoder.UseNumber()
		var want []string
		type level struct{ object, key bool }
		open := []level{{}}
		for {
			token, err := decoder.Token()
			if err != nil {
				break
			}
			top := &open[len(open)-1]
			isKey := top.object && top.key
			top.key = !top.key
			switch v := token.(type) {
			case json.Delim:
				if v == '{' || v == '[' {
					open = append(open, level{object: v == '{', key: true})
				} else {
					open = open[:len(open)-1]
				}
				if v == '}' || v == ']' {
					continue
				}
			case string:
				if !isKey && v != "" {
					want = append(want, v)
				}
			case json.Number:
				if len(v) >= identifyingDigits && onlyDigits(v) {
					want = append(want, v.String())
				}
			}
		}
		if got := strings.Join(want, "\n"); got != d.Text() {
			t.Errorf("the text is %q, want %q", d.Text(), got)
		}
	})
}
