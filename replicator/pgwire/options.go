package pgwire

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/pgdeid/pgdeid/internal/certificate"
	"github.com/pgdeid/pgdeid/internal/login"
)

// Options say how a [Server] treats its clients. Desk and Users are required; zero fields get the defaults named with them.
type Options struct {
	Desk  Desk
	Users *login.Users[login.Rights]
	// TLS is nil where connections are in the clear, which only clients of this machine may use unless Plaintext says otherwise.
	TLS       *certificate.Certificate
	Plaintext bool

	Log     *slog.Logger  // default slog.Default()
	Metrics *Metrics      // default new ones
	Grace   time.Duration // how long statements may take after the context is done; default 20 s

	Limits login.Limits // of what one user may ask; a user's line may have others

	Sessions      int           // at most so many clients are logged in; default 100
	Pending       int           // at most so many are logging in; default 64
	PendingEach   int           // at most so many of them from one address; default half of Pending
	MessageBytes  int           // of one message; default 64 MB
	SessionMemory int64         // bytes that one session may hold; default 256 MB
	Memory        int64         // bytes that all may hold; default 1 GB
	FirstTime     time.Duration // until a client has said something; default 5 s
	LoginTime     time.Duration // until a client has logged in; default 30 s
	MessageTime   time.Duration // for one message to arrive or to be taken; default 1 min
	IdleTime      time.Duration // without a statement; default 1 h
	IdleInTx      time.Duration // the same in a transaction; default 10 min
	StatementTime time.Duration // of one statement; default 30 min
	RefusalTime   time.Duration // before a wrong password is answered; default 1 s
}

func orElse[T comparable](v *T, fallback T) {
	var zero T
	if *v == zero {
		*v = fallback
	}
}

func (o Options) withDefaults() (Options, error) {
	if o.Desk == nil || o.Users == nil {
		return o, errors.New("a desk and users are required")
	}
	orElse(&o.Log, slog.Default())
	orElse(&o.Grace, 20*time.Second)
	orElse(&o.Sessions, 100)
	orElse(&o.Pending, 64)
	orElse(&o.PendingEach, max(1, o.Pending/2))
	orElse(&o.FirstTime, 5*time.Second)
	orElse(&o.MessageBytes, 64<<20)
	orElse(&o.SessionMemory, 256<<20)
	orElse(&o.Memory, 1<<30)
	orElse(&o.LoginTime, 30*time.Second)
	orElse(&o.MessageTime, time.Minute)
	orElse(&o.IdleTime, time.Hour)
	orElse(&o.IdleInTx, 10*time.Minute)
	orElse(&o.StatementTime, 30*time.Minute)
	orElse(&o.RefusalTime, time.Second)
	if o.Metrics == nil {
		o.Metrics = NewMetrics()
	}
	return o, o.validate()
}

func (o *Options) validate() error {
	switch {
	case o.Sessions < 1 || o.Pending < 1 || o.PendingEach < 1:
		return errors.New("at least one session must be allowed")
	case o.MessageBytes < 1<<10 || o.MessageBytes > 1<<30:
		return fmt.Errorf("messages of %d bytes: want 1 KB to 1 GB", o.MessageBytes)
	case int64(o.MessageBytes) > o.SessionMemory || o.SessionMemory > o.Memory:
		return errors.New("a message must fit into a session's memory, and that into the memory of all")
	}
	return nil
}
