package record

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// endPhrase emits the phrase from i to end, if it is written like a name. One word that
// is also an ordinary one needs a capital that only a name has, or the words around
// places and employers.
func (m *matcher) endPhrase(i, end int, p gazPhrase) int {
	if end == 0 {
		return 0
	}
	if end > i+1 {
		return m.emit(i, end, p.typ, true)
	}
	placed := !p.short && m.placed(i, p.typ)
	if m.likeness(i) == doubtful && !placed {
		return 0
	}
	if m.eponymUse(i) || p.short && !m.stateHere(i) || !p.short && !placed && !m.writtenAsName(i, p.level) {
		return 0
	}
	return m.emit(i, end, p.typ, placed)
}

// writtenAsName reports whether word i, a phrase of the record, differs from an ordinary
// word by its case.
func (m *matcher) writtenAsName(i int, level uint8) bool {
	switch level {
	case onlyName:
		return true
	case alsoWord:
		return m.toks[i].Case != text.Lower
	}
	return m.toks[i].Case == text.Title && !m.begins(i) && !m.nextToTitle(i)
}

// placed reports whether word i is where a place or an employer is expected.
func (m *matcher) placed(i int, t phi.Type) bool {
	switch t {
	case phi.Organization:
		return m.worksAt(i)
	case phi.City:
		inPlace := m.toks[i].Case == text.Title && m.plays(i-1, text.RolePlacePrep|text.RoleFrom) && m.sameLine(i)
		return inPlace || m.beforeState(i+1) || m.afterStreet(i)
	}
	return false
}

// worksAt reports whether an employer is due at word i: "works at target", "employer: target" and "retired from target".
func (m *matcher) worksAt(i int) bool {
	j := i - 1
	if m.punct(j) == ':' {
		return m.plays(j-1, text.RoleEmployer|text.RoleWork)
	}
	if !m.plays(j, text.RolePlacePrep|text.RoleFrom|text.RoleBy) && !(m.isWord(j) && equalFolded(m.tok(j), "for")) {
		return false
	}
	for k := j - 1; k > j-5 && m.isWord(k); k-- {
		if m.plays(k, text.RoleWork|text.RoleRetired) {
			return true
		}
	}
	return false
}

// beforeState reports whether a state follows at token j, after a comma or not. In
// lower case its abbreviation needs a comma or a ZIP code: "reading in bed".
func (m *matcher) beforeState(j int) bool {
	comma := m.punct(j) == ','
	if comma {
		j++
	}
	if !m.isWord(j) || !m.sameLine(j) {
		return false
	}
	e, _ := lexicon.LookupFolded(lexicon.Fold(m.tok(j)))
	if !e.Is(lexicon.State) && m.isWord(j+1) {
		e, _ = lexicon.LookupFolded(lexicon.Fold(m.tok(j)) + " " + lexicon.Fold(m.tok(j+1)))
		return e.Is(lexicon.State)
	}
	short := len(m.tok(j)) == 2
	if !e.Is(lexicon.State) || !short || m.zip(j+1) {
		return e.Is(lexicon.State)
	}
	return e.Common < frequentWord && (comma || m.toks[j].Case == text.Upper) // "NORMAL IN SIZE"
}

// afterStreet reports whether a street of the record ends right before word i.
func (m *matcher) afterStreet(i int) bool {
	j := i - 1
	if m.punct(j) == ',' {
		j--
	}
	n := len(m.out)
	return n > 0 && m.has(j) && m.out[n-1].Type == phi.Street && m.out[n-1].End == m.toks[j].End
}

func (m *matcher) zip(i int) bool {
	return m.has(i) && m.toks[i].Kind == text.Number && m.toks[i].End-m.toks[i].Start == 5
}

// stateHere reports whether the state's abbreviation at i follows a town or goes before
// a ZIP code. In lower case it needs both, or the comma between: "palm coast fl 32137".
// One that is a word or a credential too needs more: "Ann West, PA-C", "AT HOME OR".
func (m *matcher) stateHere(i int) bool {
	zip, comma := m.zip(i+1), m.punct(i-1) == ','
	switch {
	case m.punct(i+1) == '-' && m.glued(i+1) && m.isWord(i+2):
		return false
	case m.toks[i].Case == text.Lower:
		return (zip || comma && m.common(i) < frequentWord) && m.townBefore(i, true)
	case zip:
		return true
	}
	if m.common(i) >= frequentWord { // "AFTER BARRETT, OR"
		return comma && m.placeBefore(i)
	}
	return (comma || m.common(i) == 0) && m.townBefore(i, comma && !m.plays(i, text.RoleCredential|text.RoleWeakCred))
}

// townBefore reports whether a town ends before token i: one that was found or, loosely,
// any that the lexicon knows. If not loosely it must be where places are: behind "in".
func (m *matcher) townBefore(i int, loosely bool) bool {
	j := i - 1
	if m.punct(j) == ',' {
		j--
	}
	if !m.isWord(j) || !m.sameLine(i) {
		return false
	}
	if m.placeBefore(i) {
		return true
	}
	name := ""
	for k := j; k > j-3 && m.isWord(k); k-- {
		name = lexicon.Fold(m.tok(k)) + name
		e, _ := lexicon.LookupFolded(name)
		if e.Is(lexicon.City) && (loosely && e.Common == 0 && !m.nameBefore(k) || m.plays(k-1, text.RolePlacePrep|text.RoleFrom)) {
			return true
		}
		name = " " + name
	}
	return false
}

// placeBefore reports whether a place was found right before token i, or before the
// comma there.
func (m *matcher) placeBefore(i int) bool {
	j := i - 1
	if m.punct(j) == ',' {
		j--
	}
	return m.foundBefore(j, phi.ClassLocation)
}

// nameBefore reports whether a person's name may end with token k: "Ann Salem, MA" and
// "Dr. Salem, PA" are no towns.
func (m *matcher) nameBefore(k int) bool {
	j := k - 1
	if m.punct(j) == '.' {
		j--
	}
	if m.plays(j, text.RoleDoctorTitle|text.RolePersonTitle|text.RoleStaffTitle) {
		return true
	}
	if !m.isWord(k-1) || !m.sameLine(k) || m.plays(k-1, text.RolePlacePrep|text.RoleFrom|text.RoleStreet) {
		return false
	}
	e, _ := lexicon.LookupFolded(lexicon.Fold(m.tok(k - 1)))
	return e.First > 0 || m.toks[k-1].Case == text.Title
}
