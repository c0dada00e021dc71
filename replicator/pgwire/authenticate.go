package pgwire

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/internal/scram"
)

var errMechanism = errors.New("the client chose a mechanism that is not offered")

// authenticate asks for the password.
func (s *Server) authenticate(ctx context.Context, w *wire, who *client) error {
	attempt := scram.NewLogin(s.opts.Users.Verifier(who.user))
	if err := w.challenge(&pgproto3.AuthenticationSASL{AuthMechanisms: []string{scram.Mechanism}}, pgproto3.AuthTypeSASL); err != nil {
		return err
	}
	msg, err := w.receive(s.opts.LoginTime)
	if err != nil {
		return err
	}
	initial, ok := msg.(*pgproto3.SASLInitialResponse)
	if !ok || initial.AuthMechanism != scram.Mechanism {
		return errMechanism
	}
	answer, err := attempt.Start(initial.Data)
	if err != nil {
		return err
	}
	if err := w.challenge(&pgproto3.AuthenticationSASLContinue{Data: []byte(answer)}, pgproto3.AuthTypeSASLContinue); err != nil {
		return err
	}
	if msg, err = w.receive(s.opts.LoginTime); err != nil {
		return err
	}
	response, ok := msg.(*pgproto3.SASLResponse)
	if !ok {
		return scram.ErrMalformed
	}
	end, err := s.turns.Take(ctx, login.TurnKey{User: who.user, From: who.from})
	if err != nil {
		return err
	}
	who.endTurn = end
	if answer, err = attempt.Finish(response.Data); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	w.proto.Send(&pgproto3.AuthenticationSASLFinal{Data: []byte(answer)})
	w.proto.Send(&pgproto3.AuthenticationOk{})
	return w.proto.SetAuthType(pgproto3.AuthTypeOk)
}

// challenge sends one and prepares the protocol for its answer.
func (w *wire) challenge(m pgproto3.BackendMessage, kind uint32) error {
	w.proto.Send(m)
	if err := w.proto.SetAuthType(kind); err != nil {
		return err
	}
	return w.flush()
}

// loginFailed refuses a client, after a while if it guessed a password. One that hung up, as psql does to ask its user for the password,
// guessed none.
func (s *Server) loginFailed(ctx context.Context, w *wire, who *client, err error) {
	guessed := errors.Is(err, scram.ErrPassword)
	known := guessed || errors.Is(err, scram.ErrMalformed) || errors.Is(err, scram.ErrBinding) || errors.Is(err, errMechanism)
	if !known {
		s.opts.Metrics.connections.WithLabelValues("broken").Inc()
		s.opts.Log.Debug("a login was not finished", "user", Printable(who.user), "from", who.addr)
		return
	}
	s.opts.Log.Warn("login refused", "user", Printable(who.user), "from", who.addr, "application", who.application, "why", err.Error())
	f := failf(stateBadAuth, "authentication failed: %s", err)
	if guessed {
		f = failf(stateBadPassword, "password authentication failed for user \"%s\"", shown(who.user))
		wait := time.Duration(s.guard.FailedFor(who.user, time.Now())) * s.opts.RefusalTime
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
	s.refuse(w, "wrong_password", f)
}
