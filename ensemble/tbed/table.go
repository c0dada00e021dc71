package tbed

// valueID numbers the values of an attribute.
type valueID = int32

const (
	// silent is a value that no rule may test: a word that is not known to be ordinary.
	silent valueID = 0
	// beyond is the value of every attribute outside of the sentence.
	beyond valueID = 1
	// firstValue is the first free number.
	firstValue valueID = 2
)

// unmet is the number of a value that no token has.
const unmet valueID = -1

// dictionary numbers the values of one attribute in order of appearance.
type dictionary struct {
	ids   map[string]valueID
	words []string // by number
}

func newDictionary() *dictionary {
	return &dictionary{ids: map[string]valueID{}, words: []string{silent: "", beyond: edgeWord}}
}

// number returns the number of a value, assigning one if needed; "" is silent.
func (d *dictionary) number(value string) valueID {
	if value == "" {
		return silent
	}
	id, ok := d.ids[value]
	if !ok {
		id = valueID(len(d.words))
		d.ids[value] = id
		d.words = append(d.words, value)
	}
	return id
}

// table holds training tokens in columns. Sentences are separated by tokens with the tag edge, as
// many as a template can look aside, so that no look beyond an end meets another sentence.
type table struct {
	attributes []string
	dicts      []*dictionary
	columns    [][]valueID // by attribute, then by token
	tags       []Tag
	gold       []uint16 // indexes of truths
	truths     []truth
	sentences  int
	words      int // tokens of sentences
}

func newTable(attributes []string) *table {
	t := &table{attributes: attributes, columns: make([][]valueID, len(attributes)), truths: []truth{unknownTruth()}}
	for range attributes {
		t.dicts = append(t.dicts, newDictionary())
	}
	t.pad()
	return t
}

// maxReach is the maximum distance that templates look.
const maxReach = 4

// tokens is the number of tokens, including those between sentences.
func (t *table) tokens() int { return len(t.tags) }

// pad ends a sentence.
func (t *table) pad() {
	for range maxReach {
		for a := range t.columns {
			t.columns[a] = append(t.columns[a], beyond)
		}
		t.tags = append(t.tags, edge)
		t.gold = append(t.gold, 0)
	}
}

// wrong reports whether a token's tag is known to be wrong.
func (t *table) wrong(i int) bool { return t.truths[t.gold[i]].cost[t.tags[i]] }

// errors counts the tokens whose tags are known to be wrong.
func (t *table) errors() int {
	n := 0
	for i := range t.tags {
		if t.wrong(i) {
			n++
		}
	}
	return n
}

// postings are, for one attribute, the tokens with each value, in order.
type postings struct {
	starts []int32 // by value; one more than there are values
	tokens []int32
}

func newPostings(column []valueID, values int) postings {
	p := postings{starts: make([]int32, values+1), tokens: make([]int32, len(column))}
	for _, v := range column {
		p.starts[v+1]++
	}
	for v := range values {
		p.starts[v+1] += p.starts[v]
	}
	next := append([]int32(nil), p.starts...)
	for i, v := range column {
		p.tokens[next[v]] = int32(i)
		next[v]++
	}
	return p
}

// of returns the tokens with a value.
func (p *postings) of(v valueID) []int32 { return p.tokens[p.starts[v]:p.starts[v+1]] }

// run applies a rule to all tokens at once and returns it with the counts of what it corrected and
// broke.
func (t *table) run(r Rule) (Rule, error) {
	m, v, err := t.templateOf(r)
	if err != nil {
		return r, err
	}
	var changed []int
	for i := range t.tags {
		if t.tags[i] == r.From && m.holds(t, i, &v) {
			changed = append(changed, i)
		}
	}
	r.Mended, r.Broken = 0, 0
	for _, i := range changed {
		was := t.wrong(i)
		t.tags[i] = r.To
		switch is := t.wrong(i); {
		case was && !is:
			r.Mended++
		case is && !was:
			r.Broken++
		}
	}
	return r, nil
}
