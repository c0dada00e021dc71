package value

import (
	"errors"
	"strings"
	"testing"
)

func anyRoom(int64) error { return nil }

func TestLists(t *testing.T) {
	t.Parallel()
	null, text := Null, func(s string) Datum { return Datum{Text: s} }
	for s, want := range map[string][]Datum{
		"{}":                       {},
		"{ \t}":                    {},
		"{a}":                      {text("a")},
		"{a, b c ,NULL,null}":      {text("a"), text("b c"), null, null},
		`{"a,b","c\"d\\","",NULL}`: {text("a,b"), text(`c"d\`), text(""), null},
		`{ "NULL" , "ä{}" }`:       {text("NULL"), text("ä{}")},
	} {
		got, err := SplitList(s, anyRoom)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %v, %v", s, got, err)
			continue
		}
		for i := range want {
			if got[i].Text != want[i].Text || got[i].Null != want[i].Null {
				t.Errorf("%s: element %d is %+v", s, i, got[i])
			}
		}
	}
	for _, s := range []string{"", "{", "}", "a", "{a", "{a,}", "{,a}", "{{a}}", `{"a}`, `{"a"b}`, `{a"b}`, `{a\b}`, "{a}}", "[0:1]={a}"} {
		if got, err := SplitList(s, anyRoom); !errors.Is(err, ErrList) {
			t.Errorf("%s: %v, %v", s, got, err)
		}
	}
}

func TestWriteList(t *testing.T) {
	t.Parallel()
	list := []Datum{{Text: `a"b\c`}, Null, {}, {Text: "x,{y}"}}
	if got := string(WriteList(list)); got != `{"a\"b\\c",NULL,"","x,{y}"}` {
		t.Error(got)
	}
	if got := string(WriteList(nil)); got != "{}" {
		t.Error(got)
	}
}

// Elements take their room before they are made.
func TestRoomOfLists(t *testing.T) {
	t.Parallel()
	full := errors.New("full")
	if _, err := SplitList("{"+strings.Repeat("1,", 1000)+"1}", func(n int64) error {
		if n < 1001*Bytes {
			t.Errorf("%d bytes for 1001 elements", n)
		}
		return full
	}); !errors.Is(err, full) {
		t.Error(err)
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	d := Datum{Text: "abc"}
	list := Datum{List: []Datum{d, Null}}
	if d.Size() != Bytes+3 || list.Size() != 3*Bytes+3 || (Row{d, list}).Size() != 4*Bytes+6 {
		t.Error(d.Size(), list.Size(), Row{d, list}.Size())
	}
	for typ, size := range map[Type]int16{Int4: 4, Int8: 8, Text: -1, TextList: -1} {
		if typ.Size() != size {
			t.Errorf("%d: %d", typ, typ.Size())
		}
	}
}

func TestHasAll(t *testing.T) {
	t.Parallel()
	row := Row{{Text: "j"}, Null, {Text: "x"}}
	j := []Datum{{Text: "i"}, {Text: "j"}}
	for _, c := range []struct {
		values [][]Datum
		want   bool
	}{
		{nil, true}, {[][]Datum{nil, nil, nil}, true}, {[][]Datum{j}, true}, {[][]Datum{j, nil, j}, false}, {[][]Datum{nil, j}, false}, {[][]Datum{{}}, false},
	} {
		if got := row.HasAll(c.values); got != c.want {
			t.Errorf("%v: %t", c.values, got)
		}
	}
}

// A list that is read is written and read again as it was, and is no larger than the room it took.
func FuzzSplitList(f *testing.F) {
	f.Add(`{a,"b c",NULL}`)
	f.Add(`{"\"",\\}`)
	f.Fuzz(func(t *testing.T, s string) {
		var taken int64
		list, err := SplitList(s, func(n int64) error { taken += n; return nil })
		if err != nil {
			return
		}
		var size int64
		for i := range list {
			size += list[i].Size()
		}
		if size > taken {
			t.Errorf("%d bytes, %d were taken", size, taken)
		}
		again, err := SplitList(string(WriteList(list)), anyRoom)
		if err != nil || len(again) != len(list) {
			t.Fatalf("%d elements became %d: %v", len(list), len(again), err)
		}
		for i := range list {
			if list[i].Null != again[i].Null || list[i].Text != again[i].Text {
				t.Errorf("element %d changed", i)
			}
		}
	})
}

func TestCompare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		typ  Type
		want int
	}{{"9", "10", Int4, -1}, {"-5", "-6", Int8, 1}, {"7", "07", Int8, 0}, {"a", "a", Text, 0}, {"9", "10", Text, 1}} {
		if got := Compare(Datum{Text: c.a}, Datum{Text: c.b}, c.typ); got != c.want {
			t.Errorf("%s, %s: %d", c.a, c.b, got)
		}
	}
	for op, want := range map[string][3]bool{
		"=": {false, true, false}, "any": {false, true, false}, "<>": {true, false, true}, "<": {true, false, false}, "<=": {true, true, false},
		">": {false, false, true}, ">=": {false, true, true},
	} {
		for i, order := range []int{-1, 0, 1} {
			if Holds(op, order) != want[i] {
				t.Errorf("%s with order %d", op, order)
			}
		}
	}
}
