package deid

// startOver takes back what resolve has found out.
func (r *Resolver) startOver(it *Item) {
	it.Release(r.Register)
	it.Resolved = Resolved{}
}
