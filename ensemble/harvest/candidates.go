package harvest

import "slices"

// candidate is a sentence that is counted exactly.
type candidate struct {
	Notes    uint32
	Suspect  uint32 // in how many of them a member found PHI in it
	Barred   bool   // an exact detector found PHI in it
	Patients atLeast
	Authors  atLeast
	Variants variants // the templates of a form
}

// candidates is used by one goroutine.
type candidates struct {
	byText            map[string]*candidate
	patients, authors int // the thresholds
}

// occurrence is the contribution of one note to a candidate.
type occurrence struct {
	text            string
	barred, suspect bool
	patient, author uint64   // hashes; 0: unknown
	variants        []string // of a form, without duplicates
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

// atLeast counts distinct keys up to k. When there are k it drops them to save memory.
type atLeast struct {
	Keys []uint64 // hashes, sorted
	Full bool     // k was reached
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

// reached reports whether there are k keys, or k is not positive.
func (a *atLeast) reached(k int) bool { return a.Full || k <= 0 }
