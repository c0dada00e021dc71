package phi

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

type noteOf struct {
	Redacted

	Text string
	more []noteOf
}

// titled embeds a redacted type beside its own marker: the nearer one counts.
type titled struct {
	Redacted
	noteOf

	Title string
}

func TestRedactedTypesPrintNothing(t *testing.T) {
	t.Parallel()
	n := noteOf{Text: "Quarkstein", more: []noteOf{{Text: "Quarkstein"}}}
	for _, v := range []any{n, &n, n.more, map[string]noteOf{"a": n}, struct{ N noteOf }{n}, titled{noteOf: n, Title: "Quarkstein"}} {
		var logged bytes.Buffer
		slog.New(slog.NewTextHandler(&logged, nil)).Info("x", "value", v)
		for _, text := range []string{fmt.Sprintf("%v %+v %#v %s %q %x", v, v, v, v, v, v), fmt.Sprint(v), logged.String()} {
			if strings.Contains(text, "Quark") || strings.Contains(text, "517561726b") || !strings.Contains(text, "[redacted]") {
				t.Errorf("%T: printed %s", v, text)
			}
		}
	}
}

func TestRedactedTypesAreLoggedAsNothing(t *testing.T) {
	t.Parallel()
	n := noteOf{Text: "Quarkstein"}
	for _, v := range []any{n, &n, titled{noteOf: n, Title: "Quarkstein"}} {
		var logged bytes.Buffer
		slog.New(slog.NewJSONHandler(&logged, nil)).Info("x", "value", v)
		if strings.Contains(logged.String(), "Quark") || !strings.Contains(logged.String(), "[redacted]") {
			t.Errorf("%T: logged %s", v, logged.String())
		}
	}
}
