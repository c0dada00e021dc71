package config

import (
	"strings"
	"testing"
)

func TestWarningOfColumnsThatMoveAlone(t *testing.T) {
	moved := strings.Replace(minimal, "      body: text\n", "      body: text\n      written: date_shift\n", 1)
	for _, c := range []struct {
		file string
		want int
	}{
		{moved, 0},
		{moved + "profile: limited\n", 1},
		{moved + "profile: limited\nactions: {DATE: surrogate}\n", 0},
		{moved + "profile: custom\nactions: {DATE: keep}\n", 1},
		{minimal + "profile: limited\n", 0},
	} {
		cfg, err := Parse([]byte(c.file), nil)
		if err != nil {
			t.Fatal(err)
		}
		ws := cfg.Warnings()
		if len(ws) != c.want {
			t.Errorf("%s\ngot %q, want %d warnings", c.file, ws, c.want)
		}
		if len(ws) > 0 && !strings.Contains(ws[0], "written of ehr.note") {
			t.Errorf("which column? %s", ws[0])
		}
	}
}
