package config

// Risk says how "pgdeid risk" looks at the replica. It changes nothing of what is published.
type Risk struct {
	Columns   []string // quasi-identifiers, as schema.table.column; default: those that the policies suggest
	Ignore    []string // what is none
	Sensitive []string // what should differ among patients who look alike
	Visits    string   // the date of visits; default: that of the table that looks like it
	// Population is how many people there are of whom the patients are a sample; 0: not known.
	Population int
	// SmallestClass is how many patients have to look alike so that none of them is at risk; default 11.
	SmallestClass int
}

// DefaultSmallestClass is the size of a class from which on its risk, 1/11 = .09, is commonly taken for very small.
const DefaultSmallestClass = 11

// maxPeople is more than there are.
const maxPeople = 10_000_000_000

func (c *Config) readRisk(n node) {
	r := &c.Risk
	n.setters(map[string]func(node){
		"columns":        texts(&r.Columns),
		"ignore":         texts(&r.Ignore),
		"sensitive":      texts(&r.Sensitive),
		"visits":         text(&r.Visits),
		"population":     integer(&r.Population, maxPeople),
		"smallest_class": integer(&r.SmallestClass, 1000),
	})
	if r.SmallestClass == 1 {
		n.fail("smallest_class is the number of patients who have to look alike: want at least 2")
	}
}
