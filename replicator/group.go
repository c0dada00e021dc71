package replicator

import (
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// group gathers rows until they are written together. Of several changes to one
// row the last one counts: a statement can't touch a row twice.
type group struct {
	rows     int
	bytes    int64
	versions map[versionKey]*version
	order    []*version
	choices  vault.Choices
	requeue  map[string]*requeue
	paths    map[string]pathChange // by hash
	noted    map[string]bool       // patients with notes in the group so far
	moved    map[versionKey]string // whose rows they were whose keys changed
}

type versionKey struct {
	table *table
	row   string // JSON of the published key
}

// version is what is to become of one row of the replica.
type version struct {
	table   *table
	key     []string
	rowKey  string
	remove  bool      // no such row is to be there
	values  []*string // by index of table.publish
	keep    []bool    // by index of table.texts: the text in the replica stays
	texts   []textOutcome
	source  []string // primary key in the source
	patient string   // pseudonym of the row's patient, or ""
	was     string   // of another patient, whose row it was before in the same group
	shift   int      // of that patient's dates, in days
	item    *item    // the change it comes from
	set     bool     // false while nothing was said yet
	aside   *aside
	only    bool // write only if the row is there
	reread  bool // texts that were not sent must come from the source
	// withheld are columns of which NULL is published instead of their values.
	withheld []int
}

// aside is a row for deid.quarantine.
type aside struct {
	vault.Origin

	reason reason
	lacks  []byte // the hash of the row that would lead to a patient
}

func newGroup() *group {
	return &group{
		versions: map[versionKey]*version{}, requeue: map[string]*requeue{}, noted: map[string]bool{},
		paths: map[string]pathChange{}, moved: map[versionKey]string{},
	}
}

func (g *group) empty() bool { return g.rows == 0 }

// add takes in a change with its outcome.
func (g *group) add(it *item) {
	c, out := it.change, &it.out
	g.rows++
	g.bytes += it.held
	if p := it.patient; p != nil && !c.covered { // of a covered row, nothing is made ready that could be stored
		g.choices.AddEntries(p.pseudonym, out.entries)
		p.handOver(&g.choices)
	}
	g.choices.AddEntries(it.whose, it.words)
	for _, q := range it.tells {
		g.addRequeue(q)
	}
	for _, p := range it.leads {
		g.addPath(p)
	}
	if len(c.table.publish) == 0 || c.covered {
		return
	}
	if c.old != nil && len(out.oldKey) > 0 {
		before := g.version(c.table, out.oldKey, out.oldRow)
		if was := before.formerPatient(); was != "" {
			g.moved[versionKey{c.table, out.oldRow}] = was
		}
		before.delete(it)
	}
	if c.op != deleteOp {
		g.addRow(it)
	}
	if it.patient != nil && c.table.isNote() {
		g.noted[it.patient.pseudonym] = true
	}
}

func (g *group) addRequeue(r *requeue) {
	before := g.requeue[r.pseudonym]
	r.noted = g.noted[r.pseudonym] || before != nil && before.noted
	g.requeue[r.pseudonym] = r
}

func (g *group) version(t *table, key []string, row string) *version {
	id := versionKey{t, row}
	v := g.versions[id]
	if v == nil {
		v = &version{table: t, key: key, rowKey: row}
		g.versions[id] = v
		g.order = append(g.order, v)
	}
	return v
}

func (v *version) delete(it *item) {
	source, _ := v.table.keyTexts(it.change.old)
	*v = version{table: v.table, key: v.key, rowKey: v.rowKey, remove: true, set: true, source: source, item: it}
}

// addRow takes in an inserted or updated row.
func (g *group) addRow(it *item) {
	c, out := it.change, &it.out
	if len(out.key) == 0 { // not even its key can be published
		v := &version{table: c.table, set: true}
		v.quarantine(it, out.reason)
		g.order = append(g.order, v)
		return
	}
	v := g.version(c.table, out.key, out.rowKey)
	if out.reason != "" {
		v.quarantine(it, out.reason)
		return
	}
	next := version{
		table: v.table, key: v.key, rowKey: v.rowKey, values: out.values, keep: out.keep, texts: out.texts, item: it,
		set: true, only: it.only, source: it.key, withheld: out.withheld,
	}
	if it.patient != nil {
		next.patient, next.shift = it.patient.pseudonym, it.patient.shift
	}
	if v.set {
		next.inherit(v)
	}
	if next.was = v.formerPatient(); c.old != nil && next.was == "" {
		next.was = g.moved[versionKey{c.table, out.oldRow}]
	}
	if next.was == next.patient {
		next.was = ""
	}
	*v = next
}

// formerPatient returns whose row v is or was in this group.
func (v *version) formerPatient() string {
	if v.patient != "" {
		return v.patient
	}
	return v.was
}

// inherit takes texts that were not sent from the version before in the same
// group. Where that can't be, they stay marked and are looked after when the
// group is written.
func (v *version) inherit(before *version) {
	if before.remove || before.values == nil || before.reread || v.patient != before.patient {
		v.reread = v.keeps() // what the replica has is not what was kept
		return
	}
	for n, keep := range v.keep {
		if keep && !before.keep[n] {
			i := v.table.textIndex(n)
			v.values[i], v.texts[n], v.keep[n] = before.values[i], before.texts[n], false
		}
	}
}

// textIndex returns the index in publish of the nth text.
func (t *table) textIndex(n int) int {
	for i, c := range t.publish {
		if c == t.texts[n] {
			return i
		}
	}
	return -1
}

// keeps reports whether a text of v is to stay as the replica has it.
func (v *version) keeps() bool {
	for _, k := range v.keep {
		if k {
			return true
		}
	}
	return false
}

// quarantine makes v set its row aside: what the replica has of it goes.
func (v *version) quarantine(it *item, why reason) {
	a := &aside{reason: why, Origin: vault.Origin{Key: it.key, Patient: v.patient, LSN: it.change.lsn}}
	if a.Key == nil {
		a.Key, _ = v.table.keyTexts(it.change.row)
	}
	if it.lacks != "" {
		a.lacks = []byte(it.lacks)
	}
	if it.patient != nil {
		a.Patient = it.patient.pseudonym
	}
	*v = version{table: v.table, key: v.key, rowKey: v.rowKey, remove: true, set: true, item: it, aside: a}
}
