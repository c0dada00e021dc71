package ensemble

// cutTail takes off the end of a name what is the label of the next field: the MC of
// "Moss, Ann MC # 412".
func (v *vocabulary) cutTail(s *Span) {
	from, to := v.tokensOf(*s)
	if s.Type.Class() != ClassName || to-from < 2 || v.caseOf(to-1) != Upper {
		return
	}
	label := v.equal(to-1, "mc") || v.equal(to-1, "mrn") || v.equal(to-1, "dob") || v.equal(to-1, "acct")
	if label && (v.punct(to, '#') || v.punct(to, ':')) {
		s.End = v.tokens[to-2].End
	}
}
