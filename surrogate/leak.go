package surrogate

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate/date"
	"github.com/pgdeid/pgdeid/surrogate/letter"
)

// leaks returns the ranges of the output that contain an identifier of the patient which neither
// is a surrogate nor is kept by an action.
func (o *output) leaks() []phi.Range {
	if o.work.who == nil {
		return nil
	}
	return slices.DeleteFunc(o.work.who.Leaks(o.text), func(r phi.Range) bool {
		leak := o.text[r.Start:r.End]
		s, inside := o.segmentAround(r)
		return inside && o.allows(s, leak) || o.keptRole(leak)
	})
}

// segmentAround returns the segment of the output that contains r.
func (o *output) segmentAround(r phi.Range) (segment, bool) {
	i, _ := slices.BinarySearchFunc(o.segments, r.End, func(s segment, end int) int { return s.out.End - end })
	if i == len(o.segments) || o.segments[i].out.Start > r.Start {
		return segment{}, false
	}
	return o.segments[i], true
}

// allows reports whether a text may remain in a segment's output. Surrogates may, even if the
// record later came to contain the same word. Text that was also in the original is not a
// surrogate but was kept as the word for a kind ("Heart Hospital" of a patient named Heart): that
// is a leak.
func (o *output) allows(s segment, leak string) bool {
	switch s.span.Type.Class() {
	case phi.ClassDate, phi.ClassTime, phi.ClassAge:
		return true
	}
	if s.kept && s.span.Type != phi.Profession { // an occupation is kept, not the name in it
		return true
	}
	was := o.input[s.in.Start:s.in.End]
	return !holdsWords(was, leak) && !holdsWords(o.work.who.Read(was), o.work.who.Read(leak))
}

// roleTypes maps a role to the type as which its values are found.
var roleTypes = map[record.Role]phi.Type{
	record.NameFirst: phi.Patient, record.NameMiddle: phi.Patient, record.NameLast: phi.Patient,
	record.NameAlias: phi.Patient, record.NameFull: phi.Patient, record.RelativeName: phi.Patient,
	record.ProviderName: phi.Doctor, record.Username: phi.Username, record.Facility: phi.Hospital,
	record.Employer: phi.Organization, record.Street: phi.Street, record.City: phi.City,
	record.State: phi.State, record.Zip: phi.Zip, record.Country: phi.Country,
	record.Phone: phi.Phone, record.Fax: phi.Fax, record.Email: phi.Email,
	record.MRN: phi.MedicalRecord, record.SSN: phi.SSN, record.Account: phi.Account,
	record.Plan: phi.HealthPlan, record.License: phi.License, record.Vehicle: phi.Vehicle,
	record.Device: phi.Device, record.ID: phi.IDNum, record.BirthDate: phi.Date,
}

// leakType returns the type under which a leaked text is replaced: that of a role that contains
// it, otherwise that of its characters. Types that are kept are skipped; if no other is left, it
// returns None.
func (o *output) leakType(leak string) phi.Type {
	leak = o.work.who.Read(leak)
	held := o.work.heldUnder(leak)
	for _, role := range record.Roles() {
		if slices.Contains(held, role) && o.work.actions[roleTypes[role]] != Keep {
			return roleTypes[role]
		}
	}
	likely := []phi.Type{phi.Patient, phi.IDNum}
	if strings.ContainsAny(leak, "0123456789") {
		likely = []phi.Type{phi.IDNum, phi.Patient}
	}
	for _, t := range likely {
		if o.work.actions[t] != Keep {
			return t
		}
	}
	return phi.None
}

// keptRole reports whether a text is a value only of roles whose types are kept, such as a town in
// a Limited Data Set.
func (o *output) keptRole(leak string) bool {
	leak = o.work.who.Read(leak)
	held := o.work.heldUnder(leak)
	if slices.ContainsFunc(held, func(role record.Role) bool { return o.work.actions[roleTypes[role]] != Keep }) {
		return false
	}
	return len(held) > 0 || o.keptBirthDate(leak)
}

// keptBirthDate reports whether a text is a birth date and dates are kept. Birth dates match in
// any format, so the text itself need not be in the record.
func (o *output) keptBirthDate(leak string) bool {
	if o.work.actions[phi.Date] != Keep {
		return false
	}
	for _, p := range date.Read(leak).Pieces() {
		if p.Full() && !p.Scrambled {
			return true
		}
	}
	return false
}

// holdsWords reports whether the words of part occur in value in the same order.
func holdsWords(value, part string) bool {
	v, p := " "+joined(value)+" ", " "+joined(part)+" "
	return strings.Contains(v, p) || letter.Alnum(value) == letter.Alnum(part)
}

func joined(s string) string {
	var out []string
	for word := range letter.Words(letter.Plain(s)) {
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

// healed returns the spans of the input plus those for the leaks; ok is false if the actions
// permit no replacement of a leak. A leak that reaches into a span's output covers the whole span.
func (o *output) healed(leaks []phi.Range) (spans []phi.Span, ok bool) {
	spans = make([]phi.Span, 0, len(o.segments)+len(leaks))
	for _, s := range o.segments {
		spans = append(spans, phi.Span{Start: s.in.Start, End: s.in.End, Type: s.span.Type, By: s.span.By, Sure: s.span.Sure})
	}
	for _, r := range leaks {
		t := o.leakType(o.text[r.Start:r.End])
		if t == phi.None {
			return nil, false
		}
		spans = append(spans, phi.Span{Start: o.toInput(r.Start, false), End: o.toInput(r.End, true), Type: t, Sure: true})
	}
	return united(spans), true
}

// toInput maps an offset of the output to the input; an offset inside a segment maps to the
// segment's start or end.
func (o *output) toInput(at int, end bool) int {
	shift := 0 // input minus output, after the last segment before at
	for _, s := range o.segments {
		if end && at <= s.out.Start || !end && at < s.out.Start {
			break
		}
		if end && at <= s.out.End || !end && at < s.out.End {
			if end {
				return s.in.End
			}
			return s.in.Start
		}
		shift = s.in.End - s.out.End
	}
	return at + shift
}

// united sorts spans and joins overlapping ones. The result has the type of the first, or of the
// leak if that is certain.
func united(spans []phi.Span) []phi.Span {
	phi.SortSpans(spans)
	out := spans[:0]
	for _, s := range spans {
		n := len(out)
		if n == 0 || !out[n-1].Overlaps(s) {
			out = append(out, s)
			continue
		}
		last := &out[n-1]
		last.End = max(last.End, s.End)
		last.By |= s.By
		if s.Sure {
			last.Type, last.Sure = s.Type, true
		}
	}
	return out
}
