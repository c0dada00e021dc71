package proposal

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// separators are what may stand between the values of a text that holds many, the likeliest first. A line break stands between
// them in what was typed into a form.
var separators = []string{";", "|", "\n", ",", "/"}

// strong are those that stand between values of any kind: names and numbers have commas and slashes of their own.
var strong = separators[:3]

// longestList is the number of bytes up to which a value is looked at as a list.
const longestList = 1000

// listing counts what values look like that a separator divides.
type listing struct {
	parts  shape // of all parts
	values int   // that have several parts
	alike  int   // of these, those whose parts look like one another
	loose  int   // of these, those whose parts could be names or numbers
}

// addLists counts a value as a list by each separator that it has.
func (s *shape) addLists(v string) {
	if len(v) > longestList {
		return
	}
	for _, sep := range separators {
		parts := partsOf(v, sep)
		if len(parts) < 2 {
			continue
		}
		if s.lists == nil {
			s.lists = map[string]*listing{}
		}
		if s.lists[sep] == nil {
			s.lists[sep] = &listing{}
		}
		s.lists[sep].add(v, parts)
	}
}

// add counts a value of several parts.
func (l *listing) add(v string, parts []string) {
	l.values++
	var these shape
	for _, part := range parts {
		these.addPart(part)
		l.parts.addPart(part)
	}
	if these.alike() {
		l.alike++
	}
	if !strings.Contains(v, "&") && !slices.ContainsFunc(parts, func(part string) bool { return !couldBeName(part) }) {
		l.loose++ // and no character of HTML, which ends in a semicolon
	}
}

// partsOf returns the parts of a text that are not empty, without the blanks around them.
func partsOf(v, sep string) []string {
	var parts []string
	for part := range strings.SplitSeq(v, sep) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// addPart counts a part of a value, which is no list itself.
func (s *shape) addPart(v string) {
	n := utf8.RuneCountInString(v)
	s.values, s.total, s.longest = s.values+1, s.total+n, max(s.longest, n)
	if n <= 100 {
		s.addForms(v)
	}
}

// alike reports whether all values are of one form that a list is made of.
func (s *shape) alike() bool {
	return slices.Contains([]int{s.emails, s.ssns, s.phones, s.zips, s.days + s.twoWays, s.persons}, s.values)
}

// ofOneForm reports whether four fifths of the values are of one such form.
func (s *shape) ofOneForm() bool {
	return slices.ContainsFunc([]int{s.emails, s.ssns, s.phones, s.zips, s.days + s.twoWays, s.persons}, func(n int) bool {
		return n > 1 && n*5 >= s.values*4
	})
}

// couldBeName reports whether a part of a value could be a name or a number: a few words.
func couldBeName(part string) bool {
	letters := strings.IndexFunc(part, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
	return letters && len(part) >= 2 && len(part) <= 60 && len(strings.Fields(part)) <= 4
}

// list returns the separator of a column that holds many values, and what was seen of it; "" if values are single.
func (s *shape) list(role record.Role) (sep, why string) {
	most := 0
	var others []string
	for _, candidate := range separators {
		n := s.listed(candidate, role)
		switch {
		case n == 0:
		case n > most:
			if sep != "" {
				others = append(others, sep)
			}
			sep, most = candidate, n
		default:
			others = append(others, candidate)
		}
	}
	if sep == "" {
		return "", ""
	}
	why = fmt.Sprintf("%s hold several with %q between them", s.share(most), sep)
	if len(others) > 0 {
		why += fmt.Sprintf(", and others with %q, which only one of them can be read by", others)
	}
	return sep, why
}

// listed returns how many values hold several with a separator between them.
func (s *shape) listed(sep string, role record.Role) int {
	l := s.lists[sep]
	switch {
	case l == nil:
		return 0
	case l.alike > 0 && l.parts.ofOneForm():
		return l.alike
	case slices.Contains(strong, sep) && slices.Contains(listedRoles, role):
		return l.loose
	}
	return 0
}

// listedRoles are those of which a column may hold several values in any form. An address is one value, whatever is in it.
var listedRoles = []record.Role{
	record.NameFirst, record.NameMiddle, record.NameLast, record.NameFull, record.NameAlias, record.RelativeName, record.ProviderName, record.Username,
	record.Phone, record.Fax, record.Email, record.MRN, record.SSN, record.Account, record.Plan, record.License, record.Vehicle, record.Device, record.ID,
}

// single returns what the single values of a column look like, also where a text holds many of one form.
func (s *shape) single() *shape {
	sep, _ := s.list("")
	if sep == "" {
		return s
	}
	all, parts := *s, &s.lists[sep].parts
	all.values += parts.values - s.lists[sep].values
	for _, c := range []struct {
		sum *int
		n   int
	}{
		{&all.emails, parts.emails},
		{&all.ssns, parts.ssns},
		{&all.phones, parts.phones},
		{&all.zips, parts.zips},
		{&all.persons, parts.persons},
		{&all.days, parts.days},
		{&all.twoWays, parts.twoWays},
		{&all.monthly, parts.monthly},
		{&all.daily, parts.daily},
		{&all.never, parts.never},
	} {
		*c.sum += c.n
	}
	return &all
}

// inList returns a choice for a column with what stands between its values, where it holds many and the policy takes them one
// by one.
func (c choice) inList(of *column) choice {
	if !isText(of) {
		return c
	}
	sep, why := of.shape.list(c.Tells)
	if sep == "" {
		return c
	}
	with := c.Column
	with.Separator = sep
	if !with.TakesSeparator() {
		return c
	}
	return choice{with, c.why + "; " + why}
}
