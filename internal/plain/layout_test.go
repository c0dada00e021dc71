package plain

import (
	"errors"
	"testing"
	"time"
)

func TestParseLayout(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"mmddyyyy": true, "MMDDYYYY": true, "ddmmyyyy": true, "yymmdd": true, "dd.mm.yy": true, "yyyy/dd/mm": true, "ddmonyyyy": true, "mon dd, yyyy": true,
		"mmddyyyyhhmiss": true, "yyyymmdd hh:mi": true, "ddmmyyThh": true,
		"": false, "mdy": false, "yyyy": false, "mmyyyy": false, "mmddyyyyyy": false, "mmddmonyyyy": false, "ddddmmyyyy": false, "yyyymmddmi": false,
		"yyyymmddhhss": false, "yyyy mm dd am": false, "2006-01-02": false, "yyyy-mm-dd\x00": false, "mmddyyyyy": false,
	} {
		o, err := ParseLayout(text)
		if (err == nil) != ok || ok != o.IsLayout() || err != nil && !errors.Is(err, ErrLayout) {
			t.Errorf("%q: %q, %v", text, o, err)
		}
	}
	if MonthFirst.IsLayout() || DayFirst.IsLayout() || AnyOrder.IsLayout() || Order("yymmdd").HasCentury() || !Order("yyyymmdd").HasCentury() {
		t.Error("orders are taken for layouts, or centuries are missed")
	}
}

func TestDatesByLayout(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		layout Order
		text   string
		want   string // ten days later; "" where it is none
	}{
		{"mmddyyyy", "02032021", "02132021"},
		{"ddmmyyyy", "02032021", "12032021"},
		{"mmddyyyy", "20210203", ""},
		{"mmddyyyy", "2032021", ""},
		{"mmddyyyy", "02/03/2021", ""},
		{"mm/dd/yyyy", "02/03/2021", "02/13/2021"},
		{"mm/dd/yyyy", "02/03/2021 10:30", "02/13/2021 10:30"},
		{"mm/dd/yyyy", "02/03/2021 noon", ""},
		{"dd.mm.yy", "25.12.99", "04.01.00"},
		{"dd.mm.yy", "25.12.1999", ""},
		{"ddmonyyyy", "03FEB2021", "13Feb2021"},
		{"yyyymmddhhmi", "202102031015", "202102131015"},
		{"yyyymmddhhmi", "20210203", ""},
		{"yyyymmdd", "99991231", ""},
		{"yyyymmdd", "20210230", ""},
		{"yyyymmdd", "00000000", ""},
		{"yyyymmdd", "", ""},
	} {
		d, err := ParseDate(c.text, c.layout)
		if err != nil {
			if c.want != "" || !errors.Is(err, ErrValue) {
				t.Errorf("%s by %s: %v", c.text, c.layout, err)
			}
			continue
		}
		if got := d.Write(d.Time().AddDate(0, 0, 10)); got != c.want {
			t.Errorf("%s by %s: %s, want %s", c.text, c.layout, got, c.want)
		}
	}
}

// What is read by a layout is written back as it was.
func FuzzLayouts(f *testing.F) {
	f.Add("mmddyyyy", "02032021")
	f.Add("dd.mm.yy", "25.12.99")
	f.Add("yyyy-mm-dd hh:mi", "2021-02-03 10:30")
	f.Fuzz(func(t *testing.T, layout, text string) {
		o, err := ParseLayout(layout)
		if err != nil {
			return
		}
		d, err := ParseDate(text, o)
		if err != nil {
			return
		}
		again, err := ParseDate(d.Write(d.Time()), o)
		if err != nil || !again.Time().Equal(d.Time()) || again.Time().Sub(d.Time()) > time.Duration(0) {
			t.Errorf("by %q a date is read in two ways: %v", layout, err)
		}
	})
}
