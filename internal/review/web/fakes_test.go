package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/internal/scram"
)

// memory is a Store in memory, and Notes of made-up texts.
type memory struct {
	mu       sync.Mutex
	round    review.Round
	texts    []string // of the notes, by place - 1
	view     func(place int) (review.View, error)
	readings map[string]review.Reading // by place and reader
	reviews  []review.Reading          // of two reviewers, for who settles them
	views    []store.View
	heard    []string // what Remember was asked
	repairs  []review.Repair
	alike    []review.Alike
	// repairing is asked before a place is repaired, with how many were; nil: it succeeds.
	repairing func(n int) error
	roles     []string  // as which notes were read
	drawn     time.Time // as of when the last one was read
}

func at(place int, reader string) string { return fmt.Sprint(place, " ", reader) }

func (m *memory) Rounds(_ context.Context, reader string) ([]review.Progress, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := review.Progress{Round: m.round, Items: len(m.texts)}
	for i := range m.texts {
		if !m.readings[at(i+1, reader)].FinishedAt.IsZero() {
			p.Mine++
		}
	}
	p.Left, p.Finished = p.Items-p.Mine, p.Mine
	return []review.Progress{p}, nil
}

func (m *memory) Round(_ context.Context, id int64) (review.Round, error) {
	if id != m.round.ID {
		return review.Round{}, store.ErrNone
	}
	return m.round, nil
}

func (m *memory) Next(_ context.Context, round int64, reader string) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.texts {
		if r := m.readings[at(i+1, reader)]; r.FinishedAt.IsZero() && round == m.round.ID {
			r.Round, r.Place, r.Reader = round, i+1, reader
			m.readings[at(i+1, reader)] = r
			return i + 1, nil
		}
	}
	return 0, store.ErrDone
}

func (m *memory) Settle(_ context.Context, round int64, reader string) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.texts {
		r, ok := m.readings[at(i+1, reader)]
		if len(m.reviews) > 0 && (!ok || r.FinishedAt.IsZero()) && round == m.round.ID {
			r.Round, r.Place, r.Reader, r.Part = round, i+1, reader, review.Adjudicator
			m.readings[at(i+1, reader)] = r
			return i + 1, nil
		}
	}
	return 0, store.ErrDone
}

func (m *memory) Reviews(context.Context, int64, int) ([]review.Reading, error) {
	return m.reviews, nil
}

func (m *memory) Item(_ context.Context, round int64, place int) (review.Item, error) {
	if round != m.round.ID || place < 1 || place > len(m.texts) {
		return review.Item{}, store.ErrNone
	}
	note := review.Note{Table: "ehr.note", Column: "body", Row: fmt.Sprintf(`["%d"]`, place)}
	return review.Item{Round: round, Place: place, Note: note, Patient: "4711", Key: []string{fmt.Sprint(place)}}, nil
}

func (m *memory) Reading(_ context.Context, round int64, place int, reader string) (review.Reading, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.readings[at(place, reader)]
	if !ok || round != m.round.ID {
		return r, store.ErrNone
	}
	return r, nil
}

func (m *memory) Save(_ context.Context, r review.Reading, finished bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	was, ok := m.readings[at(r.Place, r.Reader)]
	if !ok {
		return store.ErrNone
	}
	if !was.FinishedAt.IsZero() {
		return store.ErrFinished
	}
	if finished {
		r.FinishedAt = time.Now()
	}
	r.Part = was.Part
	m.readings[at(r.Place, r.Reader)] = r
	return nil
}

func (m *memory) Viewed(_ context.Context, reader string, it *review.Item, o store.Outcome) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.views = append(m.views, store.View{Reader: reader, Round: m.round.Name, Place: it.Place, Note: it.Note, Patient: it.Patient, Outcome: o})
	return int64(len(m.views)), nil
}

func (m *memory) StillViewed(_ context.Context, _ string, id int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.views[id-1].Left = m.views[id-1].Left.Add(time.Second)
	return nil
}

func (m *memory) Views(context.Context, int) ([]store.View, error) { return m.views, nil }

func (m *memory) TextHash(text string) []byte { return []byte("hash of " + fmt.Sprint(len(text))) }

func (m *memory) WordsHash(_, words string) []byte { return []byte(fmt.Sprint(len(words))) }

func (m *memory) View(_ context.Context, role string, of review.Item) (review.View, error) {
	m.mu.Lock()
	m.roles = append(m.roles, role)
	m.drawn = of.Drawn
	m.mu.Unlock()
	if role == "" {
		return review.View{}, review.ErrNoRole
	}
	if m.view != nil {
		return m.view(of.Place)
	}
	return noteOf(m.texts[of.Place-1]), nil
}

func (m *memory) Remember(_ context.Context, role, by string, of review.Item, seen string, r [2]int) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.heard = append(m.heard, fmt.Sprint(role, " ", of.Place, " ", string([]rune(seen)[r[0]:r[1]])))
	mark := review.Mark{Start: r[0], End: r[1], Type: "PATIENT", Verdict: review.Missed}
	return m.add(review.Repair{By: by, Scope: review.Everywhere, Mark: mark}, of, seen), nil
}

func (m *memory) RepairHere(_ context.Context, role string, r review.Repair, of review.Item, seen string) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if role == "" {
		return 0, review.ErrNoRole
	}
	if m.repairing != nil {
		if err := m.repairing(len(m.repairs)); err != nil {
			return 0, err
		}
	}
	r.Scope = review.Here
	return m.add(r, of, seen), nil
}

func (m *memory) add(r review.Repair, of review.Item, seen string) int64 {
	r.ID, r.Note, r.Patient, r.Text, r.At = int64(len(m.repairs)+1), of.Note, of.Patient, m.TextHash(seen), time.Now()
	m.repairs = append(m.repairs, r)
	return r.ID
}

func (m *memory) TakeBack(_ context.Context, id int64, by string, may func(*review.Repair) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := slices.IndexFunc(m.repairs, func(r review.Repair) bool { return r.ID == id })
	if at < 0 {
		return store.ErrNone
	}
	r := &m.repairs[at]
	if err := may(r); err != nil {
		return err
	}
	if r.TakenBy != "" {
		return review.ErrTaken
	}
	r.TakenBy, r.TakenAt = by, time.Now()
	return nil
}

func (m *memory) Original(_ context.Context, role string, of review.Item) (string, error) {
	if role == "" {
		return "", review.ErrNoRole
	}
	n := 0
	if _, err := fmt.Sscan(of.Key[0], &n); err != nil || n > len(m.texts) {
		return "", review.ErrGone
	}
	return strings.NewReplacer("[", "", "]", "").Replace(m.texts[n-1]), nil
}

func (m *memory) Alike(context.Context, int64, int) ([]review.Alike, error) { return m.alike, nil }

func (m *memory) AlikeRepaired(_ context.Context, _ int64, _ int, reader string) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	notes := map[review.Note]bool{}
	for _, r := range m.repairs {
		if r.By == reader && r.TakenBy == "" {
			notes[r.Note] = true
		}
	}
	return len(notes), nil
}

func (m *memory) SentenceHash(words string) []byte { return []byte(words) }

func (m *memory) NoteRepairs(_ context.Context, of review.Note) ([]review.Repair, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []review.Repair
	for _, r := range m.repairs {
		if r.Note == of && r.TakenBy == "" {
			list = append(list, r)
		}
	}
	return list, nil
}

func (m *memory) Repairs(context.Context, bool, int) ([]review.Repair, error) { return m.repairs, nil }

// noteOf makes a view of a text in which names in brackets are found: [Ann Lee].
func noteOf(text string) review.View {
	v := review.View{Patient: "4711", Row: `["1"]`}
	for text != "" {
		before, rest, ok := strings.Cut(text, "[")
		v.Text += before
		v.Published += before
		if !ok {
			break
		}
		name, behind, _ := strings.Cut(rest, "]")
		start := len([]rune(v.Text))
		v.Text += name
		v.Spans = append(v.Spans, review.Span{Start: start, End: len([]rune(v.Text)), Type: "PATIENT", By: []string{"record", "crf"}, Score: .97})
		start = len([]rune(v.Published))
		v.Published += surrogates[len(v.Shown)%len(surrogates)]
		v.Shown = append(v.Shown, review.Span{Start: start, End: len([]rune(v.Published)), Type: "PATIENT"})
		text = behind
	}
	return v
}

// surrogates take the place of what was found.
var surrogates = []string{"Mo Doe", "Dr. Reyes", "Ashford", "Mill"}

const testPassword = "four or five words"

// station is a server in the clear: ann and ben are reviewers, office a steward, ruth an adjudicator, vera a verifier, and wil
// a verifier and reviewer.
type station struct {
	*memory
	*Server

	url   string
	users string // file
	log   *strings.Builder
	now   time.Time
}

func newStation(t testing.TB, change func(*Options), texts ...string) *station {
	t.Helper()
	verifier, err := scram.GenerateWith(testPassword, []byte("a salt of 16 byt"), 64)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "users")
	lines := "ann:" + verifier + " reviewer source=ehr_ann\nben:" + verifier + " reviewer\noffice:" + verifier + " steward\nruth:" + verifier + " adjudicator source=ehr_ruth\nvera:" + verifier + " verifier\nwil:" + verifier + " verifier reviewer source=ehr_wil\n"
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	users, err := login.Load(path, make([]byte, 32), ParseRights)
	if err != nil {
		t.Fatal(err)
	}
	m := &memory{
		round: review.Round{ID: 3, Name: "first", Kind: review.Acceptance, Readers: 1, DrawnBy: "office", DrawnAt: time.Now()},
		texts: texts, readings: map[string]review.Reading{},
	}
	s := &station{memory: m, users: path, log: &strings.Builder{}, now: time.Now()}
	o := Options{
		Notes: m, Store: m, Users: users, Idle: 15 * time.Minute, Most: 10 * time.Hour, Now: func() time.Time { return s.now },
		Log: slog.New(slog.NewTextHandler(s.log, nil)), Wait: func(context.Context, time.Duration) {},
	}
	if change != nil {
		change(&o)
	}
	if s.Server, err = New(o); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// restarted is another server over the same store, as after the first one was killed: without its sessions.
func (s *station) restarted(t testing.TB) *station {
	t.Helper()
	next := &station{memory: s.memory, users: s.users, log: s.log, now: s.now}
	var err error
	if next.Server, err = New(s.opts); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(next.Handler())
	t.Cleanup(server.Close)
	next.url = server.URL
	return next
}

// browser is a client that keeps cookies and follows no redirect.
type browser struct {
	t    testing.TB
	base string
	*http.Client
}

func (s *station) browser(t testing.TB) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, s.url, &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// as is a browser in which somebody has logged in.
func (s *station) as(t testing.TB, name string) *browser {
	t.Helper()
	b := s.browser(t)
	if a := b.post("/login", url.Values{"name": {name}, "password": {testPassword}}); a.status != http.StatusSeeOther ||
		a.header.Get("Location") != "/" {
		t.Fatalf("%s can't log in: %d", name, a.status)
	}
	return b
}

type answer struct {
	status int
	header http.Header
	body   string
}

func (b *browser) do(r *http.Request) answer {
	b.t.Helper()
	got, err := b.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer got.Body.Close()
	return answer{got.StatusCode, got.Header, readAll(b.t, got)}
}

func (b *browser) request(method, path, kind, body string) *http.Request {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.base+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	return r
}

func (b *browser) get(path string) answer {
	b.t.Helper()
	return b.do(b.request(http.MethodGet, path, "", ""))
}

func (b *browser) post(path string, form url.Values) answer {
	b.t.Helper()
	return b.do(b.request(http.MethodPost, path, "application/x-www-form-urlencoded", form.Encode()))
}

func (b *browser) send(path, json string) answer {
	b.t.Helper()
	return b.do(b.request(http.MethodPost, path, "application/json", json))
}
