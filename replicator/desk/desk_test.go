package desk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/session"
)

// Questions without an answer are an error, at once and after a wait: they must not pass
// for empty texts.
func TestRetryCountsAnswers(t *testing.T) {
	t.Parallel()
	asked := []Question{{Patient: "1"}, {Patient: "2"}}
	for name, given := range map[string][][]Answer{
		"at once": {{{Text: "a"}}},
		"later":   {{{Text: "a"}, {Reason: Busy}}, {}},
	} {
		calls := 0
		got, err := Retry(t.Context(), asked, func(context.Context, []Question) ([]Answer, error) {
			calls++
			return given[calls-1], nil
		})
		if !errors.Is(err, errAnswers) || calls != len(given) {
			t.Errorf("%s: %d answers after %d calls, %v", name, len(got), calls, err)
		}
	}
}

// While one caller connects, the others wait no longer than their own contexts allow, and
// what drops or closes a session does not wait at all.
func TestDeskConnectsWithoutItsLock(t *testing.T) {
	t.Parallel()
	d := &Desk{opening: make(chan struct{}, 1)}
	d.opening <- struct{}{} // a connection is being opened
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, _, err := d.opened(ctx)
		done <- err
	}()
	d.drop(&session.Session{})
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Questions and answers print nothing of a text or a key, in whatever form and inside of others.
func TestQuestionsPrintThemselvesRedacted(t *testing.T) {
	t.Parallel()
	const mark = "Brackenmark"
	q := Question{Patient: mark, Text: mark}
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	for _, v := range []any{
		q, &q,
		[]Question{q},
		asking{Question: &q, key: mark},
		&asking{Question: &q, key: mark},
		Answer{Text: mark},
		[]Answer{{Text: mark}},
		NoteAnswer{Answer: Answer{Text: mark}, Key: mark},
		NoteKeys{Keys: []string{mark}},
	} {
		logger.Info("it", "v", v)
		if text := fmt.Sprintf("%v %+v %#v %s", v, v, v, v) + log.String(); strings.Contains(text, mark) {
			t.Errorf("%T: %s", v, text)
		}
		log.Reset()
	}
}
