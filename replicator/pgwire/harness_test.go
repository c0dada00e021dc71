package pgwire

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"go.uber.org/goleak"

	"github.com/pgdeid/pgdeid/internal/certificate"
	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/internal/scram"
	"github.com/pgdeid/pgdeid/internal/value"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// upperDesk answers in capitals, refuses notes that say "leak", and waits for notes that say "wait" until it is told to stop.
type upperDesk struct {
	mu      sync.Mutex
	queries []Query
}

func column(name string, typ value.Type, role Role) Column {
	return Column{Name: name, Type: typ, Role: role}
}

// testTables are like those of the engine.
var testTables = []Table{
	{Name: "deidentify", Rows: 1, Hint: "say WHERE", Columns: []Column{
		column("patient_id", value.Text, Needed), column("note", value.Text, Needed), column("deid_note", value.Text, Output), column("reason", value.Text, Output),
	}},
	{Name: "deidentify_batch", Rows: 1, Columns: []Column{
		column("patient_ids", value.TextList, Needed), column("notes", value.TextList, Needed), column("deid_notes", value.TextList, Output),
		column("reasons", value.TextList, Output),
	}},
	{Name: "detect", Rows: 20, Columns: []Column{
		column("patient_id", value.Text, Needed), column("note", value.Text, Needed), column("span_start", value.Int4, Output), column("span_end", value.Int4, Output),
		column("phi_type", value.Text, Output), column("detectors", value.TextList, Output),
	}},
	{Name: "inbox", Kind: Inbox, Rows: 1, Hint: "ask outbox", Columns: []Column{
		column("job", value.Text, Optional), column("item", value.Int8, Optional), column("patient_id", value.Text, Optional), column("note", value.Text, Optional),
		column("deid_note", value.Text, Output), column("reason", value.Text, Output),
	}},
	{Name: "outbox", Kind: Outbox, Rows: 1000, Columns: []Column{
		column("job", value.Text, Needed), column("item", value.Int8, Output), column("patient_id", value.Text, Output), column("deid_note", value.Text, Output),
		column("reason", value.Text, Output),
	}},
	{Name: "note_deid", Rows: 100, Columns: []Column{
		column("note_id", value.Text, Needed), column("source_table", value.Text, Optional), column("source_column", value.Text, Optional),
		column("deid_note", value.Text, Output), column("reason", value.Text, Output),
	}},
}

var testNames = login.Tables{
	Known: []string{"deidentify", "deidentify_batch", "detect", "inbox", "outbox", "note_deid"}, Least: []string{"deidentify"},
}

func (*upperDesk) Tables() []Table { return testTables }

// asked returns how many queries came.
func (d *upperDesk) asked() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.queries)
}

func (d *upperDesk) Rows(ctx context.Context, q *Query) (Answer, error) {
	d.mu.Lock()
	d.queries = append(d.queries, *q)
	d.mu.Unlock()
	var a Answer
	for _, in := range q.Inputs {
		rows, err := upperRows(ctx, q.Table, in)
		if err != nil {
			a.Refused++
			return a, err
		}
		a.Rows = append(a.Rows, rows...)
		a.Notes, a.Bytes, a.Patients = a.Notes+1, a.Bytes+int64(len(in[1].Text)), append(a.Patients, "p"+in[0].Text)
	}
	return a, nil
}

func upperRows(ctx context.Context, table string, in Row) ([]Row, error) {
	text := func(s string) Datum { return Datum{Text: s} }
	upper := func(patient, note Datum) (answer, reason Datum) {
		switch {
		case note.Null:
			return value.Null, value.Null
		case strings.Contains(note.Text, "odd"):
			return value.Null, text("odd")
		}
		return text(patient.Text + ":" + strings.ToUpper(note.Text)), value.Null
	}
	switch {
	case strings.Contains(in[1].Text, "wait"):
		<-ctx.Done()
		return nil, ctx.Err()
	case strings.Contains(in[1].Text, "panic"):
		var broken []int
		_ = broken[len(in[1].Text)]
	case strings.Contains(in[1].Text, "leak"):
		return nil, &Error{State: "PD001", Message: "a note can't be de-identified: leak", Hint: "look at the note"}
	case strings.Contains(in[1].Text, "secret fault"):
		return nil, errors.New("secret words")
	case strings.Contains(in[1].Text, "short row"):
		return []Row{{}}, nil
	}
	switch table {
	case "deidentify":
		answer, reason := upper(in[0], in[1])
		return []Row{{in[0], in[1], answer, reason}}, nil
	case "deidentify_batch":
		row := Row{in[0], in[1], {List: make([]Datum, len(in[1].List))}, {List: make([]Datum, len(in[1].List))}}
		for i, note := range in[1].List {
			row[2].List[i], row[3].List[i] = upper(in[0].List[i], note)
		}
		return []Row{row}, nil
	case "detect":
		return []Row{
			{in[0], in[1], text("10"), text("12"), text("PATIENT"), {List: []Datum{text("names"), text(`a "b"`)}}},
			{in[0], in[1], text("9"), text("10"), text("DATE"), {List: []Datum{}}},
			{in[0], in[1], text("30"), text("31"), text("AGE"), value.Null},
		}, nil
	case "inbox":
		answer, reason := upper(in[2], in[3])
		return []Row{{in[0], in[1], in[2], in[3], answer, reason}}, nil
	case "outbox":
		answer, reason := upper(in[2], in[3])
		return []Row{{in[0], in[1], in[2], answer, reason}}, nil
	}
	if in[0].Text == "404" {
		return nil, nil
	}
	return []Row{{in[0], in[1], in[2], text("NOTE " + in[0].Text), value.Null}}, nil
}

// lockedBuffer takes the log.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// serving is a server that runs for the length of a test.
type serving struct {
	addr   string
	server *Server
	desk   *upperDesk
	log    *lockedBuffer
	stop   context.CancelFunc
	done   chan error
}

const testPassword = "correct horse battery staple"

// verifierOf writes what is stored of a password, with few iterations as tests log in often.
func verifierOf(t testing.TB, password string) string {
	t.Helper()
	v, err := scram.GenerateWith(password, []byte("a salt of 16 byt"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// everything are the words of a line that may everything.
const everything = " tables=deidentify,deidentify_batch,detect,inbox,outbox,note_deid steward"

// testSecret makes salts for users that do not exist.
var testSecret = bytes.Repeat([]byte{7}, sha256.Size)

func testUsers(t testing.TB) *login.Users[login.Rights] {
	t.Helper()
	return usersFrom(t, "# who may", "", "staging:"+verifierOf(t, testPassword)+everything)
}

// usersFrom reads lines of a file.
func usersFrom(t testing.TB, lines ...string) *login.Users[login.Rights] {
	t.Helper()
	u, err := login.Load(writeUsers(t, lines...), testSecret, testNames.Parse)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func writeUsers(t testing.TB, lines ...string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// serve starts a server; change may alter its options.
func serve(t testing.TB, change func(*Options)) *serving {
	t.Helper()
	s := &serving{desk: &upperDesk{}, log: &lockedBuffer{}, done: make(chan error, 1)}
	o := Options{
		Desk: s.desk, Users: testUsers(t), RefusalTime: time.Millisecond, Grace: 2 * time.Second,
		Log: slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	if change != nil {
		change(&o)
	}
	var err error
	if s.server, err = NewServer(o); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.stop = cancel
	l, err := s.server.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = l.Addr().String()
	go func() { s.done <- s.server.Serve(ctx, l) }()
	t.Cleanup(func() { s.end(t) })
	return s
}

// end stops the server and makes sure that it ended well. It may be called twice.
func (s *serving) end(t testing.TB) {
	t.Helper()
	s.stop()
	select {
	case err := <-s.done:
		s.done <- nil
		if err != nil {
			t.Errorf("serve: %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Error("the server does not end")
	}
}

func (s *serving) dsn(more string) string {
	host, port, _ := net.SplitHostPort(s.addr)
	return fmt.Sprintf("host=%s port=%s user=staging password='%s' dbname=x sslmode=disable %s", host, port, testPassword, more)
}

func (s *serving) connect(t testing.TB, more string) *pgx.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conf, err := pgx.ParseConfig(s.dsn(more))
	if err != nil {
		t.Fatal(err)
	}
	conf.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	conn, err := pgx.ConnectConfig(ctx, conf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// testCertificate makes a certificate for 127.0.0.1 that is its own authority.
func testCertificate(t testing.TB) (c *certificate.Certificate, authority string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "engine"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "crt"), filepath.Join(dir, "key")
	for path, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "EC PRIVATE KEY", Bytes: keyDER}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if c, err = certificate.Load(certFile, keyFile); err != nil {
		t.Fatal(err)
	}
	return c, certFile
}

// wantState makes sure that an error has a SQLSTATE.
func wantState(t testing.TB, err error, state string) *pgconn.PgError {
	t.Helper()
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		t.Errorf("%v, want SQLSTATE %s", err, state)
		return &pgconn.PgError{}
	}
	if e.Code != state {
		t.Errorf("SQLSTATE %s, want %s: %s", e.Code, state, e.Message)
	}
	return e
}

func awaitTrue(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}

// ask runs statements of the simple protocol and returns what they said: rows with bars between values, tags, SQLSTATEs.
func ask(t testing.TB, conn *pgx.Conn, query string) string {
	t.Helper()
	var out []string
	results := conn.PgConn().Exec(context.Background(), query)
	for results.NextResult() {
		r := results.ResultReader()
		for r.NextRow() {
			var values []string
			for _, v := range r.Values() {
				if v == nil {
					values = append(values, "NULL")
				} else {
					values = append(values, string(v))
				}
			}
			out = append(out, strings.Join(values, "|"))
		}
		tag, err := r.Close()
		if err == nil {
			out = append(out, "<"+tag.String()+">")
		}
	}
	if err := results.Close(); err != nil {
		var e *pgconn.PgError
		if !errors.As(err, &e) {
			t.Fatalf("%.100s: %v", query, err)
		}
		out = append(out, e.Code)
	}
	return strings.Join(out, " ")
}

// hijack takes a connection from pgx, which may be reading from it in the background.
func hijack(t testing.TB, conn *pgx.Conn) *pgconn.HijackedConn {
	t.Helper()
	if err := conn.PgConn().SyncConn(t.Context()); err != nil {
		t.Fatal(err)
	}
	h, err := conn.PgConn().Hijack()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Conn.Close() })
	return h
}

func do(t testing.TB, conn *pgx.Conn, sql string) {
	t.Helper()
	if _, err := conn.Exec(context.Background(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatalf("%.80s: %v", sql, err)
	}
}
