package deid

// startOver takes back what resolve has found out.
func (r *Resolver) startOver(it *Item) {
	it.Release(r.Register)
	it.known, it.Tells, it.Leads, it.Words, it.Whose = nil, nil, nil, nil, ""
	it.reason, it.Lacks, it.Absent = "", "", false
}
