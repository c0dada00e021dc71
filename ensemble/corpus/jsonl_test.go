package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func TestParseLine(t *testing.T) {
	line, err := ParseLine([]byte(`{"id":7,"text":"né","patient_id":12,"patient":{"name.first":"Ann","phone":["1","2"]},"more":[1]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := record.Record{record.NameFirst: {"Ann"}, record.Phone: {"1", "2"}}
	if string(line.ID) != "7" || line.Text != "né" || line.PatientID != "12" || !cmp.Equal(map[record.Role][]string(line.Patient),
		map[record.Role][]string(want)) {
		t.Errorf("got id %s, patient id %s, %d roles", line.ID, line.PatientID, len(line.Patient))
	}
}

func TestParseLineErrors(t *testing.T) {
	tests := []struct{ line, want string }{
		{`{"id":1}`, `no "text"`},
		{`{"text":null}`, `no "text"`},
		{`{"text":5}`, `field "text": want a string, not a number`},
		{`[1]`, "want an object, not an array"},
		{`{"text":"a`, "not valid JSON"},
		{`{"text":"a` + "\xff" + `"}`, "not valid UTF-8"},
		{`{"text":"a\u0000b"}`, "NUL"},
		{`{"text":"a","patient":{"shoe":"44"}}`, `unknown role "shoe"`},
		{`{"text":"a","patient":"Ann Secret"}`, "want an object of roles"},
		{`{"text":"a","patient":{"phone":5551234}}`, "phone: want a string or a list"},
		{`{"text":"a","patient_id":{"a":1}}`, "patient_id"},
	}
	for _, tt := range tests {
		_, err := ParseLine([]byte(tt.line))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q in it", tt.line, err, tt.want)
		}
		if err != nil && (strings.Contains(err.Error(), "Secret") || strings.Contains(err.Error(), "5551234")) {
			t.Errorf("%s: the error quotes a value: %v", tt.line, err)
		}
	}
}

func TestReadLinesCountsAndGoesOn(t *testing.T) {
	in := "{\"text\":\"a\"}\n\nbroken\n  \n{\"text\":\"b\"}"
	var got []string
	for line, err := range ReadLines(strings.NewReader(in)) {
		var bad *LineError
		switch {
		case errors.As(err, &bad):
			got = append(got, fmt.Sprintf("%d bad", bad.Number))
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, fmt.Sprintf("%d %s", line.Number, line.Text))
		}
	}
	if diff := cmp.Diff([]string{"1 a", "3 bad", "5 b"}, got); diff != "" {
		t.Error(diff)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("disk on fire") }

func TestReadLinesReportsReadErrors(t *testing.T) {
	for _, err := range ReadLines(brokenReader{}) {
		if err == nil || !strings.Contains(err.Error(), "disk on fire") {
			t.Errorf("got %v", err)
		}
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add([]byte(`{"id":"x","text":"é","patient":{"mrn":"1"}}`))
	f.Add([]byte(`{"text":"\ud800"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		line, err := ParseLine(raw)
		if err == nil && text.Check(line.Text) != nil {
			t.Errorf("accepted a text that can't be searched")
		}
	})
}

func TestCodePointsAndBack(t *testing.T) {
	text := "a\u00e9\U0001F600z\u200bw"
	at := NewCodePoints(text)
	for n, offset := 0, 0; offset <= len(text); n++ {
		if got := at.Of(offset); got != n {
			t.Errorf("byte %d is code point %d, want %d", offset, got, n)
		}
		if back, ok := ByteOffset(text, n); !ok || back != offset {
			t.Errorf("code point %d is byte %d, want %d", n, back, offset)
		}
		_, size := utf8.DecodeRuneInString(text[offset:])
		if size == 0 {
			break
		}
		offset += size
	}
	for _, n := range []int{-1, 7, 100} {
		if _, ok := ByteOffset(text, n); ok {
			t.Errorf("there is a code point %d", n)
		}
	}
}

func TestPipeKeepsOrder(t *testing.T) {
	var in, want strings.Builder
	for i := range 500 {
		if i%50 == 7 {
			in.WriteString("bad\n")
			continue
		}
		fmt.Fprintf(&in, "{\"id\":%d,\"text\":\"t%d\"}\n", i, i)
		if i%50 != 9 {
			fmt.Fprintf(&want, "{\"id\":%d,\"text\":\"<t%d>\"}\n", i, i)
		}
	}
	var failed []int
	p := Pipe{Workers: 4, Failed: func(err *LineError) { failed = append(failed, err.Number) }}
	p.Do = func(_ context.Context, line Line) (any, error) {
		if line.Number%50 == 10 {
			return nil, errors.New("set aside")
		}
		return DeidLine{ID: line.ID, Text: "<" + line.Text + ">"}, nil
	}
	var out bytes.Buffer
	counts, err := p.Run(t.Context(), strings.NewReader(in.String()), &out)
	if err != nil {
		t.Fatal(err)
	}
	if counts != (Counts{Done: 480, Failed: 20}) || len(failed) != 20 || failed[0] != 8 || failed[1] != 10 {
		t.Errorf("counts %+v, failed lines %v", counts, failed)
	}
	if diff := cmp.Diff(want.String(), out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestPipeKeyTiesDocuments(t *testing.T) {
	var in strings.Builder
	for i := range 300 {
		fmt.Fprintf(&in, "{\"id\":%d,\"patient_id\":%d,\"text\":\"\"}\n", i, i%3)
	}
	last := make([]int, 3) // written by one worker at a time, as the race detector checks
	p := Pipe{Workers: 3, Key: func(l Line) string { return l.PatientID }}
	p.Do = func(_ context.Context, line Line) (any, error) {
		patient := int(line.PatientID[0] - '0')
		if line.Number <= last[patient] {
			return nil, errors.New("out of order")
		}
		last[patient] = line.Number
		return line.Number, nil
	}
	counts, err := p.Run(t.Context(), strings.NewReader(in.String()), &bytes.Buffer{})
	if err != nil || counts.Failed != 0 {
		t.Errorf("%+v, %v", counts, err)
	}
}

func TestPipeWorksOnSeveralDocumentsACore(t *testing.T) {
	var in strings.Builder
	var begun sync.WaitGroup
	for i := range PerCore * runtime.GOMAXPROCS(0) {
		fmt.Fprintf(&in, "{\"id\":%d,\"text\":\"\"}\n", i)
		begun.Add(1)
	}
	p := Pipe{Do: func(context.Context, Line) (any, error) {
		begun.Done()
		begun.Wait() // until all of them are worked on
		return 1, nil
	}}
	counts, err := p.Run(t.Context(), strings.NewReader(in.String()), &bytes.Buffer{})
	if err != nil || counts.Done != PerCore*runtime.GOMAXPROCS(0) {
		t.Errorf("%+v, %v", counts, err)
	}
}

func TestPipeStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := Pipe{Do: func(context.Context, Line) (any, error) { cancel(); return 1, nil }}
	in := strings.NewReader(strings.Repeat("{\"text\":\"\"}\n", 10000))
	if _, err := p.Run(ctx, in, &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestPipeReportsWriteErrors(t *testing.T) {
	p := Pipe{Do: func(context.Context, Line) (any, error) { return 1, nil }}
	_, err := p.Run(t.Context(), strings.NewReader(strings.Repeat("{\"text\":\"\"}\n", 1000)), fullDisk{})
	if err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("error %v", err)
	}
}
