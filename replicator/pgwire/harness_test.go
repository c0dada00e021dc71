package pgwire

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
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

	"github.com/pgdeid/pgdeid/replicator"
)

// upperEngine answers in capitals, refuses notes that say "leak", and waits for notes
// that say "wait" until it is told to stop.
type upperEngine struct {
	mu      sync.Mutex
	batches []int // how many questions came together
}

func (e *upperEngine) Ask(ctx context.Context, asked []replicator.Question) ([]replicator.Answer, error) {
	e.mu.Lock()
	e.batches = append(e.batches, len(asked))
	e.mu.Unlock()
	out := make([]replicator.Answer, len(asked))
	for i, q := range asked {
		switch {
		case strings.Contains(q.Text, "wait"):
			<-ctx.Done()
			return nil, ctx.Err()
		case strings.Contains(q.Text, "panic"):
			var broken []int
			_ = broken[len(q.Text)]
		case q.Patient == "":
			out[i].Reason = "no_patient"
		case strings.Contains(q.Text, "leak"):
			out[i].Reason = "leak"
		case strings.Contains(q.Text, "many") && q.MaxSpans == 2:
			out[i].Reason = replicator.TooManySpans
		case q.SpansOnly && q.TextAlone:
			out[i].Spans = []replicator.Found{{Start: 0, End: 2, Type: "PATIENT", By: []string{"names"}}}
		case q.SpansOnly:
			out[i].Spans = []replicator.Found{{Start: 0, End: 2, Type: "PATIENT", By: []string{"record", "names"}}, {Start: 3, End: 5, Type: "DATE"}}
		default:
			out[i].Text = q.Patient + ":" + strings.ToUpper(q.Text)
		}
	}
	return out, nil
}

// Pseudonym implements [Engine].
func (e *upperEngine) Pseudonym(patient string) string {
	if patient == "" {
		return ""
	}
	return "p" + patient
}

func (e *upperEngine) Pull(_ context.Context, from replicator.NoteKeys) ([]replicator.NoteAnswer, error) {
	var out []replicator.NoteAnswer
	for _, k := range from.Keys {
		if k == "404" {
			continue
		}
		a := replicator.NoteAnswer{Key: k, Patient: "p" + k, Table: "ehr.note", Column: "body", Bytes: 7, Null: k == "0"}
		a.Text = "NOTE " + k
		out = append(out, a)
	}
	return out, nil
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
	engine *upperEngine
	log    *lockedBuffer
	stop   context.CancelFunc
	done   chan error
}

const testPassword = "correct horse battery staple"

// verifierOf writes what is stored of a password, with few iterations as tests log in often.
func verifierOf(t testing.TB, password string) string {
	t.Helper()
	salt := []byte("a salt of 16 byt")
	salted, err := pbkdf2.Key(sha256.New, password, salt, 64, sha256.Size)
	if err != nil {
		t.Fatal(err)
	}
	sum := func(text string) []byte {
		mac := hmac.New(sha256.New, salted)
		mac.Write([]byte(text))
		return mac.Sum(nil)
	}
	stored := sha256.Sum256(sum("Client Key"))
	b64 := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$64:%s$%s:%s", b64(salt), b64(stored[:]), b64(sum("Server Key")))
}

// testSecret makes salts for users that do not exist.
var testSecret = bytes.Repeat([]byte{7}, sha256.Size)

func testUsers(t testing.TB) *Users {
	t.Helper()
	return usersFrom(t, testSecret, "# who may", "", "staging:"+verifierOf(t, testPassword)+" "+allRights())
}

// usersFrom reads lines of a file.
func usersFrom(t testing.TB, secret []byte, lines ...string) *Users {
	t.Helper()
	u, err := LoadUsers(writeUsers(t, lines...), secret)
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
	s := &serving{engine: &upperEngine{}, log: &lockedBuffer{}, done: make(chan error, 1)}
	o := Options{
		Engine: s.engine, Users: testUsers(t), RefusalTime: time.Millisecond, Grace: 2 * time.Second,
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
	conn, err := pgx.Connect(ctx, s.dsn(more))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// testCertificate makes a certificate for 127.0.0.1 that is its own authority.
func testCertificate(t testing.TB) (c *Certificate, authority string) {
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
	if c, err = LoadCertificate(certFile, keyFile); err != nil {
		t.Fatal(err)
	}
	return c, certFile
}
