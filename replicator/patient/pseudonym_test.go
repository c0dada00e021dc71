package patient

import (
	"errors"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
)

func TestPseudonymsOfEveryKeyType(t *testing.T) {
	t.Parallel()
	key := schematest.Key(t)
	const id = "0b8cae0e-0000-4000-8000-00000000000a"
	for _, c := range []struct {
		kind config.KeyType
		same []string // ways to write one key
		bad  []string
	}{
		{config.Integer, []string{"17", " 17", "017", "+17", "17.0", "17.000"}, []string{"", "x", "1.5", "17.", ".0", "17.0.0", "9223372036854775808", "17;"}},
		{config.Integer, []string{"-9223372036854775808"}, nil},
		{config.UUID, []string{id, strings.ToUpper(id), strings.ReplaceAll(id, "-", "")}, []string{
			"", "17", id + "0",
			id[1:], strings.Replace(id, "e", "g", 1),
		}},
		{config.TextKey, []string{"MR-17"}, nil},
	} {
		first := ""
		for _, text := range c.same {
			got, err := Pseudonym(key, c.kind, "d", text)
			if err != nil || got == "" || got == text {
				t.Errorf("%s %q: %q, %v", c.kind, text, got, err)
			}
			if first == "" {
				first = got
			}
			if got != first {
				t.Errorf("%s %q: a second pseudonym", c.kind, text)
			}
			if other, _ := Pseudonym(key, c.kind, "e", text); other == got {
				t.Errorf("%s: two domains share a pseudonym", c.kind)
			}
			if other, _ := Pseudonym(schematest.Key(t), c.kind, "d", text); other == got {
				t.Errorf("%s: two keys give one pseudonym", c.kind)
			}
			if CanonicalKey(c.kind, text) != CanonicalKey(c.kind, c.same[0]) {
				t.Errorf("%s %q: %q is not its canonical key", c.kind, text, CanonicalKey(c.kind, text))
			}
		}
		for _, text := range c.bad {
			got, err := Pseudonym(key, c.kind, "d", text)
			if !errors.Is(err, ErrValue) || got != "" || CanonicalKey(c.kind, text) != "" {
				t.Errorf("%s %q: %q, %v", c.kind, text, got, err)
			}
		}
	}
}

func TestPseudonymsHaveTheTypeOfTheirKeys(t *testing.T) {
	t.Parallel()
	key := schematest.Key(t)
	for kind, text := range map[config.KeyType]string{config.Integer: "17", config.UUID: "0b8cae0e-0000-4000-8000-00000000000a"} {
		got, err := Pseudonym(key, kind, "d", text)
		if err != nil || CanonicalKey(kind, got) != got {
			t.Errorf("%s: %q, %v", kind, got, err)
		}
	}
	if CanonicalKey(config.TextKey, "a  ") != "a" || CanonicalKey(config.TextKey, " a") != " a" {
		t.Error("a padded text key is another key, or one that begins with a space is not")
	}
}

func FuzzUUID(f *testing.F) {
	f.Add("0b8cae0e-0000-4000-8000-00000000000a")
	f.Add("{}")
	f.Fuzz(func(t *testing.T, s string) {
		id, err := parseUUID(s)
		if err != nil {
			return
		}
		text := formatUUID(id)
		if again, err := parseUUID(text); err != nil || again != id || len(text) != 36 {
			t.Errorf("%q: %s, %v", s, text, err)
		}
	})
}
