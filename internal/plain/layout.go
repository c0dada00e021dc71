package plain

import (
	"errors"
	"strings"
	"time"
)

// layoutParts are the parts of a date and a time of day in a layout, and what they are for package time. Longer ones
// come first.
var layoutParts = []struct{ name, std string }{
	{"yyyy", "2006"}, {"mon", "Jan"}, {"yy", "06"}, {"mm", "01"}, {"dd", "02"}, {"hh", "15"}, {"mi", "04"}, {"ss", "05"},
}

// ErrLayout says what a layout is made of.
var ErrLayout = errors.New("want a layout of yyyy or yy, mm or mon, and dd, each once, with hh, mi and ss or without, such as mmddyyyy or dd.mm.yy")

// ParseLayout reads how a column writes its dates, "mmddyyyy", as an [Order] that reads them in this way alone.
func ParseLayout(text string) (Order, error) {
	o := Order(strings.ToLower(text))
	layout, ok := o.layout()
	if !ok {
		return AnyOrder, ErrLayout
	}
	for _, want := range []string{"2006|06", "01|Jan", "02"} {
		n := 0
		for part := range strings.SplitSeq(want, "|") {
			n += strings.Count(strings.ReplaceAll(layout, "2006", "Y"), strings.ReplaceAll(part, "2006", "Y"))
		}
		if n != 1 {
			return AnyOrder, ErrLayout
		}
	}
	hour, minute, second := strings.Count(layout, "15"), strings.Count(layout, "04"), strings.Count(layout, "05")
	if hour > 1 || minute > hour || second > minute {
		return AnyOrder, ErrLayout
	}
	return o, nil
}

// IsLayout reports whether o is a layout.
func (o Order) IsLayout() bool { return o != AnyOrder && o != MonthFirst && o != DayFirst }

// HasCentury reports whether o, which is a layout, says the whole year.
func (o Order) HasCentury() bool { return strings.Contains(string(o), "yyyy") }

// layout returns o for package time; false if it has other parts, or more than blanks and punctuation between them.
func (o Order) layout() (string, bool) {
	var b strings.Builder
next:
	for rest := string(o); rest != ""; {
		for _, part := range layoutParts {
			if strings.HasPrefix(rest, part.name) {
				b.WriteString(part.std)
				rest = rest[len(part.name):]
				continue next
			}
		}
		if strings.IndexByte(" -/.,:t", rest[0]) < 0 {
			return "", false
		}
		b.WriteString(strings.ToUpper(rest[:1]))
		rest = rest[1:]
	}
	return b.String(), true
}

// reading returns the date that a value is by o, which is a layout, with a time of day behind it where the layout has none.
func (o Order) reading(text string) []Date {
	layout, _ := o.layout()
	if !strings.Contains(layout, "15") {
		day, rest := cut(text)
		tail, ok := clockLayout(rest)
		switch {
		case rest != "" && !ok:
			return nil
		case rest != "" && len(day) > 0:
			layout += tail
		}
	}
	t, err := time.Parse(layout, text)
	if err != nil || !strings.EqualFold(t.Format(layout), text) || t.Year() < firstYear || t.Year() > lastYear {
		return nil
	}
	return []Date{{time: t, form: form{layout, o}}}
}
