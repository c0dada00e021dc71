package harvest

import "slices"

// candidate is a sentence whose exact numbers are counted.
type candidate struct {
	Notes    uint32
	Suspect  uint32 // in how many of them a member saw PHI in it
	Barred   bool   // what is found in it is no matter of opinion
	Patients atLeast
	Authors  atLeast
	Variants variants // of a form
}

// candidates are counted by one goroutine.
type candidates struct {
	byText            map[string]*candidate
	patients, authors int // how many are asked for
}

// occurrence is what one note adds to a candidate.
type occurrence struct {
	text            string
	barred, suspect bool
	patient, author uint64   // hashes; 0: unknown
	variants        []string // of a form, each once
}

func (c *candidates) add(o occurrence) {
	of := c.byText[o.text]
	if of == nil {
		of = &candidate{}
		c.byText[o.text] = of
	}
	of.Notes++
	if o.suspect {
		of.Suspect++
	}
	of.Barred = of.Barred || o.barred
	of.Patients.add(o.patient, c.patients)
	of.Authors.add(o.author, c.authors)
	for _, v := range o.variants {
		of.Variants.add(v)
	}
}

// atLeast counts different keys up to k: whether there are k is all that matters, and
// so it takes no memory any more once there are.
type atLeast struct {
	Keys []uint64 // by their hashes, in order
	Full bool     // there are k
}

func (a *atLeast) add(key uint64, k int) {
	if a.Full || key == 0 || k <= 0 {
		return
	}
	at, there := slices.BinarySearch(a.Keys, key)
	if there {
		return
	}
	if len(a.Keys)+1 == k {
		a.Keys, a.Full = nil, true
		return
	}
	a.Keys = slices.Insert(a.Keys, at, key)
}

// reached reports whether there are k, or none are asked for.
func (a *atLeast) reached(k int) bool { return a.Full || k <= 0 }
