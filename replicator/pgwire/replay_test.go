package pgwire

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

// refusedHere are statements of the recordings that the engine refuses, with their SQLSTATEs; the server that was recorded had
// answered. Each begins as the statement does.
var refusedHere = map[string]string{
	"DECLARE c1 CURSOR FOR\nSELECT deid_note FROM deid.deidentify WHERE ((patient_id = '7')) AND ((lower(note)":                                                             stateUnsupported,
	"DECLARE c1 CURSOR FOR\nSELECT deid_note FROM deid.deidentify WHERE ((patient_id = '7'::text)) AND ((lower(note)":                                                       stateUnsupported,
	"DECLARE c1 CURSOR FOR\nSELECT patient_id, note, deid_note, reason FROM deid.deidentify WHERE ((patient_id = '7')) AND ((note = 'note 7')) ORDER BY reason":             stateUnsupported,
	"DECLARE c1 CURSOR FOR\nSELECT patient_id, note, deid_note, reason FROM deid.deidentify WHERE ((patient_id = '7'::text)) AND ((note = 'note 7'::text)) ORDER BY reason": stateUnsupported,
	"DECLARE c1 CURSOR FOR\nSELECT patient_id FROM deid.deidentify":                                                                                                         stateUnsupported, // no inputs
	"DECLARE c2 CURSOR FOR\nSELECT patient_id FROM deid.deidentify":                                                                                                         stateUnsupported,
	"DECLARE c1 CURSOR FOR\nSELECT patient_id, note FROM deid.deidentify WHERE (((note ~~ 'n%'":                                                                             stateUnsupported,
	"DECLARE c1 CURSOR FOR SELECT patient_id, note, deid_note, reason FROM deid.deidentify":                                                                                 stateUnsupported, // ANALYZE
	"SELECT 1 FROM pg_catalog.pg_namespace": stateUnsupported, // IMPORT FOREIGN SCHEMA
	"SELECT relname,   attname":             stateUnsupported,
}

func refusal(query string) string {
	for prefix, state := range refusedHere {
		if strings.HasPrefix(query, prefix) {
			return state
		}
	}
	return ""
}

// What postgres_fdw of each version was recorded to send is answered, but for what the table above names.
func TestRecordings(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/fdw-*.txt")
	if err != nil || len(files) != 5 {
		t.Fatalf("%d recordings, %v", len(files), err)
	}
	s := serve(t, nil)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			r := &replay{t: t, s: s}
			for i, line := range recordingLines(t, file) {
				if err := r.line(line); err != nil {
					t.Fatalf("line %d: %s: %v", i+1, line, err)
				}
			}
			if r.scenarios < 15 || r.sent < 300 || len(r.refused) != 6 && len(r.refused) != 7 {
				t.Errorf("%d scenarios, %d messages, refused: %v", r.scenarios, r.sent, r.refused)
			}
		})
	}
}

func recordingLines(t *testing.T, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var lines []string
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// replay sends the messages of a recording, each scenario in a session of its own.
type replay struct {
	t         *testing.T
	s         *serving
	f         *pgproto3.Frontend
	query     string // of the message before Sync
	failed    bool   // a transaction that has to end: what comes until then has no meaning
	scenarios int
	sent      int
	refused   map[string]bool
}

func (r *replay) line(line string) error {
	switch {
	case line == "", strings.HasPrefix(line, "#"), strings.HasPrefix(line, "-- "), line == "X", r.f == nil && !strings.HasPrefix(line, "== "):
		return nil
	case strings.HasPrefix(line, "== "):
		r.f, r.failed = hijack(r.t, r.s.connect(r.t, "")).Frontend, false
		r.scenarios++
		return nil
	}
	r.sent++
	words, err := quotedWords(line[1:])
	if err != nil {
		return err
	}
	switch line[0] {
	case 'Q':
		r.query = words[0]
		return r.exchange(&pgproto3.Query{String: words[0]})
	case 'P':
		r.query = words[1]
		r.f.Send(&pgproto3.Parse{Name: words[0], Query: words[1]})
		return nil
	case 'B':
		b := &pgproto3.Bind{PreparedStatement: words[0]}
		for _, w := range words[1:] {
			if w == "\x00NULL" {
				b.Parameters = append(b.Parameters, nil)
			} else {
				b.Parameters = append(b.Parameters, []byte(w))
			}
		}
		r.f.Send(b)
	case 'D':
		r.f.Send(&pgproto3.Describe{ObjectType: words[0][0], Name: words[0][1:]})
	case 'E':
		r.f.Send(&pgproto3.Execute{})
	case 'S':
		return r.exchange(&pgproto3.Sync{})
	default:
		return fmt.Errorf("an unknown line")
	}
	return nil
}

// quotedWords reads quoted strings and NULL.
func quotedWords(s string) ([]string, error) {
	var words []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if rest, ok := strings.CutPrefix(s, "NULL"); ok {
			words, s = append(words, "\x00NULL"), rest
			continue
		}
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			return nil, err
		}
		w, err := strconv.Unquote(q)
		if err != nil {
			return nil, err
		}
		words, s = append(words, w), s[len(q):]
	}
	return words, nil
}

// exchange sends a message and reads up to ReadyForQuery.
func (r *replay) exchange(m pgproto3.FrontendMessage) error {
	r.f.Send(m)
	if err := r.f.Flush(); err != nil {
		return err
	}
	state := ""
	for {
		m, err := r.f.Receive()
		if err != nil {
			return err
		}
		switch m := m.(type) {
		case *pgproto3.ErrorResponse:
			state = m.Code
		case *pgproto3.ReadyForQuery:
			want := refusal(r.query)
			if want != "" && !r.failed {
				if r.refused == nil {
					r.refused = map[string]bool{}
				}
				r.refused[want+r.query] = true
			}
			was := r.failed
			r.failed = m.TxStatus == 'E'
			if state != want && !was {
				return fmt.Errorf("SQLSTATE %q, want %q", state, want)
			}
			return nil
		}
	}
}
