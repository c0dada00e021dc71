package synth

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestFunctionsOfText(t *testing.T) {
	t.Parallel()
	s := sceneOf(t, 1, Setting{})
	for text, want := range map[string]string{
		"{plural:Ortiz} {plural:Moss} {plural:Welch} {plural:Nash}":                                     "Ortizes Mosses Welches Nashes",
		"{plural:Cox} {plural:Murphy} {plural:Le}":                                                      "Coxes Murphys Les",
		"{capital:émile} {capital:} {initial:Øre}|{initial:}":                                           "Émile  Ø|",
		"{ascii:Núñez-Le O'Hara} {ascii:?}":                                                             "nunezleohara x",
		"{spell:-=Núñez} {spell: =De La Cruz}":                                                          "N-U-N-E-Z D E L A C R U Z",
		"{spell:. =Moss}":                                                                               "M. O. S. S",
		"{cut:3=Moss} {cut:9=Moss} {cut:1=Óscar} {cut:x=y}|":                                            "Mos Moss Ó |",
		"{acronym:San Rosa Mount Hospital 2}":                                                           "SRMH",
		"{dotted:MD} {plain:ninety-three} {undash:12-34}":                                               "M.D. ninety three 1234",
		"{upper:ab}{lower:CD}{upper:{lower:Ef}g}":                                                       "ABcdEFG",
		"{shape:####=123-45-6789} {shape:(###) ###-####=612-555-0143} {shape:#-##=1} {shape:1-####=56}": "6789 (612) 555-0143 1-## 1-56##",
	} {
		if got := s.written(t, text); got != want {
			t.Errorf("%s writes %q, want %q", text, got, want)
		}
	}
}

func TestNumbersInWords(t *testing.T) {
	t.Parallel()
	s := sceneOf(t, 1, Setting{})
	for text, want := range map[string]string{
		"{words:0} {words:7} {words:19}":                   "zero seven nineteen",
		"{words:40} {words:93}":                            "forty ninety-three",
		"{words:100} {words:102} {words:111}":              "one hundred one hundred two one hundred eleven",
		"{nth:1} {nth:12} {nth:20} {nth:21}":               "first twelfth twentieth twenty first",
		"{nth:30} {nth:31}":                                "thirtieth thirty first",
		"{year:1900} {year:1907} {year:1952}":              "nineteen hundred nineteen oh seven nineteen fifty two",
		"{year:2000} {year:2009} {year:2015}":              "two thousand two thousand nine twenty fifteen",
		"{ordinal:1} {ordinal:2} {ordinal:3} {ordinal:11}": "1st 2nd 3rd 11th",
		"{ordinal:13} {ordinal:22} {ordinal:111}":          "13th 22nd 111th",
	} {
		if got := s.written(t, text); got != want {
			t.Errorf("%s writes %q, want %q", text, got, want)
		}
	}
}

func TestFormatDay(t *testing.T) {
	t.Parallel()
	day := time.Date(2014, time.March, 2, 15, 4, 5, 0, time.UTC)
	for layout, want := range map[string]string{
		"1/2/06": "3/2/14", "January 2nd, 2006": "March 2nd, 2014", "02-JAN-06": "02-MAR-14", "MON": "SUN",
		"Monday, January 2": "Sunday, March 2",
		"3:04 p.m.":         "3:04 p.m.", "15:04": "15:04", "2006-01-02T15:04:05Z": "2014-03-02T15:04:05Z", "'06": "'14", "": "",
	} {
		if got := formatDay(day, layout); got != want {
			t.Errorf("%q gives %q, want %q", layout, got, want)
		}
	}
	if got := formatDay(day.Add(-12*time.Hour), "3:04 p.m."); got != "3:04 a.m." {
		t.Errorf("at three in the morning it is %q", got)
	}
}

// TestCodes draws numbers of forms and compares them with expressions.
func TestCodes(t *testing.T) {
	t.Parallel()
	s := sceneOf(t, 2, Setting{})
	for text, want := range map[string]string{
		"{code:##-#%}":           `^[1-9][0-9]-[1-9][0-9]$`,
		"{code:@@ 0%%}":          `^[A-Z]{2} 0[0-9]{2}$`,
		"{code:1FHXC***}":        `^1FHXC[A-HJ-NPR-Z0-9]{3}$`,
		"{code:é#}":              `^é[1-9]$`,
		"{num:7-9}":              `^[7-9]$`,
		"{num:3}":                `^3$`,
		"{dictate:## #}":         `^[a-z]+ [a-z]+(, | | - )[a-z]+$`,
		"{phone.any}":            `^[-+()./ 0-9]{8,17}$`,
		"{ip}":                   `^[0-9]{1,3}(\.[0-9]{1,3}){3}$`,
		"{vin}":                  `^1FHXC[A-HJ-NPR-Z0-9]{6}[1-9][0-9]{5}$`,
		"{ukpost:}x{me.npi}":     `^x1[0-9]{9}$`,
		"{f.ukpost}":             `^[A-Z]{1,2}[0-9]{1,2} [0-9][A-Z]{2}$`,
		"{date.dicom}":           `^20[0-9]{6}$`,
		"{stamp}":                `^[0-9]{2}-[0-9]{2}-[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}$`,
		"{mrn}":                  `^[E0-9-]{7,9}$`,
		"{license}":              `^[A-Z][0-9]{3}-[0-9]{4}-[0-9]{4}$`,
		"{email}":                `^[a-z0-9._]+@[a-z.]+$`,
		"{hosp.url}":             `^(https?://)?www\.[a-z]+\.example\.(org|com)(/[a-z]+)?$`,
		"{zip}":                  `^[0-9]{5}(-[0-9]{4})?$`,
		"{s.age.over89} {f.day}": `^(9[0-9]|10[0-5]) [0-9]{1,2}(st|nd|rd|th)$`,
	} {
		form := regexp.MustCompile(want)
		for range 60 {
			if got := s.written(t, text); !form.MatchString(got) {
				t.Errorf("%s writes %q, want %s", text, got, want)
				break
			}
		}
	}
}

// TestNamesOfGroups checks that names come from the lists of the person's group, as
// often as they should.
func TestNamesOfGroups(t *testing.T) {
	t.Parallel()
	h := hospital(t, 3, Options{Patients: 5, Notes: 1})
	s := h.visit(rand.New(rand.NewPCG(1, 1)), Setting{Plain: true})
	listed := map[string]bool{}
	for _, name := range h.lists.Surnames[2] { // Hispanic
		listed[name] = true
	}
	own, particles := 0, 0
	const draws = 2000
	for range draws {
		last := s.written(t, "{hispanic>.last}")
		if listed[last] {
			own++
		}
		if strings.HasPrefix(last, "De") && strings.Contains(last, " ") {
			particles++
		}
	}
	if own < draws*45/100 || own > draws*70/100 || particles < draws/200 || particles > draws/15 {
		t.Errorf("of %d names %d are listed, %d have a particle", draws, own, particles)
	}
}

func TestEmptyListsFallBack(t *testing.T) {
	t.Parallel()
	lists := LexiconLists()
	lists.Places, lists.WordSurnames = nil, nil
	for g := range lists.Surnames {
		lists.Surnames[g] = nil
	}
	h := hospital(t, 3, Options{Patients: 30, Notes: 1, Lists: &lists})
	for i := range h.Patients {
		if p := &h.Patients[i]; p.Home.City == "" || len(p.Home.Zip) < 5 {
			t.Errorf("patient %d lives in %+v", p.ID, p.Home)
		}
	}
}
