package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Every combination of system identifier, history, end of the WAL and slot: a
// position is followed only where it is proven to lie on the source's history.
func TestContinuityOfEveryCombination(t *testing.T) {
	const at = pglogrepl.LSN(0x5000)
	tries := 0
	for _, system := range []string{"7", "8"} {
		for name, way := range map[string]struct {
			timeline int32
			history  []ending
			proven   bool // that the position lies on it
			same     bool // timeline as the stored one
		}{
			"the same":                      {2, []ending{{1, 0x1000}}, true, true},
			"the same number, another past": {2, []ending{{1, 0x900}}, false, true},
			"back":                          {1, []ending{}, false, false},
			"on, left behind the position":  {3, []ending{{1, 0x1000}, {2, at + 1}}, true, false},
			"on, left at the position":      {3, []ending{{1, 0x1000}, {2, at}}, true, false},
			"on, left before the position":  {3, []ending{{1, 0x1000}, {2, at - 1}}, false, false},
			"on, twice":                     {4, []ending{{1, 0x1000}, {2, at + 1}, {3, at + 9}}, true, false},
			"beside":                        {3, []ending{{1, 0x1000}}, false, false},
			"on, from another past":         {3, []ending{{1, 0x900}, {2, at + 1}}, false, false},
		} {
			for _, end := range []pglogrepl.LSN{at - 1, at, at + 1} {
				for _, confirmed := range []pglogrepl.LSN{0x100, at, at + 1} {
					for _, restart := range []pglogrepl.LSN{0x4000, 0x4001, 0x4002} {
						tries++
						p := &Progress{SystemID: "7", Timeline: 2, History: []ending{{1, 0x1000}}, LSN: at, Restart: 0x4001}
						o := &Origin{SystemID: system, Timeline: way.timeline, History: way.history, end: end}
						want := system == "7" && way.proven && end >= at && confirmed <= at && (!way.same || restart >= 0x4001)
						err := p.Continues(o, &Slot{Confirmed: confirmed, Restart: restart})
						if (err == nil) != want {
							t.Errorf("system %s, timeline %s, end %s, slot %s from %s: %v", system, name, end, confirmed, restart, err)
						}
						if err != nil && !strings.Contains(fault.Hint(err), "--resync") {
							t.Errorf("%v: no way back in %q", err, fault.Hint(err))
						}
					}
				}
			}
		}
	}
	if tries != 2*9*3*3*3 {
		t.Errorf("%d combinations", tries)
	}
}

// A position whose history was not stored is judged by the timeline's number alone.
func TestContinuityWithoutStoredHistory(t *testing.T) {
	p := &Progress{SystemID: "7", Timeline: 1, LSN: 0x50}
	for timeline, want := range map[int32]bool{1: true, 2: true, 3: false} {
		o := &Origin{SystemID: "7", Timeline: timeline, end: 0x99}
		if timeline == 2 {
			o.History = []ending{{1, 0x60}}
		}
		if err := p.Continues(o, &Slot{}); (err == nil) != want {
			t.Errorf("timeline %d: %v", timeline, err)
		}
	}
}

func TestHistoryFiles(t *testing.T) {
	h, err := parseHistory("1\t0/30000A0\tno recovery target specified\n\n# a remark\n2\t1/5000028\tbefore 2000-01-01\n")
	want := []ending{{1, 0x30000A0}, {2, 0x1_0500_0028}}
	if err != nil || !slices.Equal(h, want) {
		t.Errorf("%v, %v", h, err)
	}
	text := WriteHistory(h)
	if text != "1@0/30000A0 2@1/5000028" {
		t.Error(text)
	}
	if again, err := readHistory(text); err != nil || !slices.Equal(again, want) {
		t.Errorf("%v, %v", again, err)
	}
	if empty, err := readHistory(""); err != nil || empty == nil || len(empty) > 0 {
		t.Errorf("%v, %v: no timelines before is not the same as unknown", empty, err)
	}
	for _, bad := range []string{"1", "one\t0/1\t", "1\t0x1\t"} {
		if _, err := parseHistory(bad); err == nil {
			t.Errorf("accepted: %q", bad)
		}
		if _, err := readHistory(fmt.Sprint(strings.Fields(bad))); err == nil {
			t.Errorf("accepted: %q", bad)
		}
	}
}
