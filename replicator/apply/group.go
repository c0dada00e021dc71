package apply

import (
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Group gathers rows until they are written together. Of several changes to one
// row the last one counts: a statement can't touch a row twice.
type Group struct {
	phi.Redacted

	rows     int
	bytes    int64
	versions map[versionKey]*Version
	Order    []*Version
	choices  vault.Choices
	handed   []handed // what choices has of the rows' patients
	requeue  map[string]*deid.Requeue
	paths    map[string]patient.PathChange // by hash
	noted    map[string]bool               // patients with notes in the group so far
	moved    map[versionKey]owners         // whose rows they were whose keys changed
	filters  map[filterRow]string          // what rows of filters say now
	merges   map[patient.MergeRow]patient.Merge
	owners   map[string]string // source keys of the patients in the group, by pseudonym
	words    map[string]string // likewise: patient ids whose records have words in it
	ends     []*deid.Item      // of notes
}

// handed are surrogates of a patient that a row brought.
type handed struct {
	phi.Redacted

	who     *patient.Patient
	entries []surrogate.Entry
}

type versionKey struct {
	table *schema.Table
	row   string // JSON of the published key
}

// Version is what is to become of one row of the replica.
type Version struct {
	phi.Redacted

	Table   *schema.Table
	Key     []string
	RowKey  string
	Remove  bool      // no such row is to be there
	Values  []*string // by index of table.SQL.Names
	Keep    []bool    // by index of table.texts: the text in the replica stays
	texts   []deid.TextOutcome
	Source  []string   // primary key in the source
	patient string     // pseudonym of the row's patient, or "" if it has none or several
	was     string     // of another patient, whose row it was before in the same group
	shift   int        // of that patient's dates, in days
	Item    *deid.Item // the change it comes from
	Set     bool       // false while nothing was said yet
	aside   *Aside
	only    bool // the row was read again, to be made anew if it is there
	anew    bool // the row before it with its key was deleted in the same group
	reread  bool // texts must come from the source: they were not sent, or were made with what is void
	// withheld are columns of which NULL is published instead of their values.
	withheld []int
	repairs  []review.RepairState // whether those of its texts have an effect
}

// Aside is a row for deid.quarantine.
type Aside struct {
	vault.Origin

	reason vault.Reason
	lacks  []byte // the hash of the row that would lead to a patient
}

// NewGroup returns an empty group.
func NewGroup() *Group {
	return &Group{
		versions: map[versionKey]*Version{}, requeue: map[string]*deid.Requeue{}, noted: map[string]bool{},
		paths: map[string]patient.PathChange{}, moved: map[versionKey]owners{},
		filters: map[filterRow]string{}, merges: map[patient.MergeRow]patient.Merge{}, owners: map[string]string{}, words: map[string]string{},
	}
}

func (g *Group) empty() bool { return g.rows == 0 }

// add takes in a change with its outcome.
func (g *Group) add(it *deid.Item) {
	c, out := it.Change, &it.Out
	g.rows++
	g.bytes += it.Held
	if it.Owner != "" {
		g.owners[it.Owner] = it.OwnerKey
	}
	if p := it.Patient; p != nil && !c.Covered && !p.Void() { // of a covered row, nothing is made ready that could be stored
		if entries := p.HandOverFor(out.Entries, &g.choices); len(entries) > 0 {
			g.handed = append(g.handed, handed{who: p, entries: entries})
		}
		for name, id := range p.HandOverMembers(&g.choices) {
			g.words[name] = id
		}
	}
	if it.Whose != "" {
		g.words[it.Whose] = it.WhoseKey
		g.choices.AddEntries(it.Whose, it.Words)
	}
	for _, q := range it.Requests {
		g.addRequeue(q)
	}
	for _, p := range it.Leads {
		g.addPath(p)
	}
	if len(c.Table.Publish) == 0 || c.Covered {
		return
	}
	if it.Ends != nil {
		g.ends = append(g.ends, it)
		return
	}
	if c.Old != nil && len(out.OldKey) > 0 {
		before := g.version(c.Table, out.OldKey, out.OldRow)
		if who := before.owners(); who != (owners{}) {
			g.moved[versionKey{c.Table, out.OldRow}] = who
		}
		before.delete(it)
	}
	if c.Op != schema.DeleteOp {
		g.addRow(it)
	}
	if it.Patient != nil && c.Table.IsNote() {
		g.noted[it.Patient.Pseudonym] = true
	}
}

func (g *Group) addRequeue(r *deid.Requeue) {
	before := g.requeue[r.Pseudonym]
	r.Noted = r.Noted || g.noted[r.Pseudonym] || before != nil && before.Noted
	g.requeue[r.Pseudonym] = r
}

func (g *Group) version(t *schema.Table, key []string, row string) *Version {
	id := versionKey{t, row}
	v := g.versions[id]
	if v == nil {
		v = &Version{Table: t, Key: key, RowKey: row}
		g.versions[id] = v
		g.Order = append(g.Order, v)
	}
	return v
}

func (v *Version) delete(it *deid.Item) {
	source, _ := v.Table.KeyTexts(it.Change.Old)
	*v = Version{Table: v.Table, Key: v.Key, RowKey: v.RowKey, Remove: true, Set: true, Source: source, Item: it}
}

// addRow takes in an inserted or updated row.
func (g *Group) addRow(it *deid.Item) {
	c, out := it.Change, &it.Out
	if len(out.Key) == 0 && it.LeftOut {
		return // nothing of the patient is there
	}
	if len(out.Key) == 0 { // not even its key can be published
		v := &Version{Table: c.Table, Set: true}
		v.quarantine(it, out.Reason)
		g.Order = append(g.Order, v)
		return
	}
	v := g.version(c.Table, out.Key, out.RowKey)
	if it.LeftOut {
		v.Item, v.Source = it, it.Key
		v.leave()
		return
	}
	if out.Reason != "" {
		v.quarantine(it, out.Reason)
		return
	}
	next := Version{
		Table: v.Table, Key: v.Key, RowKey: v.RowKey, Values: out.Values, Keep: out.Keep, texts: out.Texts, Item: it,
		Set: true, only: it.Only, Source: it.Key, withheld: out.Withheld, repairs: out.Repairs, patient: it.Owner,
	}
	if it.Patient != nil {
		next.patient, next.shift, next.reread = it.Patient.Pseudonym, it.Patient.Shift, it.Patient.Void()
	}
	if v.Set {
		next.inherit(v)
		next.anew = v.anew || v.Remove && v.aside == nil
	}
	next.was = v.owners().otherThan(next.patient)
	if c.Old != nil && next.was == "" {
		next.was = g.moved[versionKey{c.Table, out.OldRow}].otherThan(next.patient)
	}
	*v = next
}

// carry gives a row that was read again the columns of a later update that left out its texts. The row is written also where
// the replica does not have it: the stream has brought it.
func (g *Group) carry(update *deid.Item) {
	t := update.Change.Table
	v := g.version(t, update.Out.Key, update.Out.RowKey)
	if v.Values == nil {
		return // nothing of it is published
	}
	values := slices.Clone(update.Out.Values)
	withheld := slices.DeleteFunc(slices.Clone(v.withheld), func(col int) bool { return !slices.Contains(t.Texts, col) })
	for n := range t.Texts {
		i := t.TextIndex(n)
		values[i] = v.Values[i]
	}
	v.Values, v.withheld, v.only = values, append(withheld, update.Out.Withheld...), false
}

// owners are the pseudonyms of the patient whose row it is and of the one whose row it was
// before in the same group; "" for none.
type owners struct {
	phi.Redacted
	patient, was string
}

func (v *Version) owners() owners { return owners{patient: v.patient, was: v.was} }

// otherThan returns the last owner who is not the patient whose row it is now, or "".
func (o owners) otherThan(now string) string {
	switch {
	case o.patient != "" && o.patient != now:
		return o.patient
	case o.was != now:
		return o.was
	}
	return ""
}

// inherit takes texts that were not sent from the version before in the same
// group. Where that can't be, they stay marked and are looked after when the
// group is written.
func (v *Version) inherit(before *Version) {
	if before.Remove || before.Values == nil || before.reread || v.patient != before.patient {
		v.reread = v.reread || v.keeps() // what the replica has is not what was kept
		return
	}
	for n, keep := range v.Keep {
		if keep && !before.Keep[n] {
			i := v.Table.TextIndex(n)
			v.Values[i], v.texts[n], v.Keep[n] = before.Values[i], before.texts[n], false
		}
	}
}

// updates reports whether v's row is written only if the replica has it. A line of a note is
// written where the replica has the note: a part of its lines would be another note.
func (v *Version) updates() bool { return v.only && v.Item.Note() == nil }

// isNew reports whether the stream inserted v's row, so that the replica hardly ever has it.
func (v *Version) isNew() bool {
	c := v.Item.Change
	return c.Op == schema.InsertOp && !c.Read && !v.only && !v.anew
}

// keeps reports whether a text of v is to stay as the replica has it.
func (v *Version) keeps() bool {
	for _, k := range v.Keep {
		if k {
			return true
		}
	}
	return false
}

// quarantine makes v set its row aside: what the replica has of it goes.
func (v *Version) quarantine(it *deid.Item, why vault.Reason) {
	a := &Aside{reason: why, Origin: vault.Origin{Key: it.Key, Patient: v.patient, LSN: it.Change.LSN}}
	if a.Key == nil {
		a.Key, _ = v.Table.KeyTexts(it.Change.Row)
	}
	if it.Lacks != "" {
		a.lacks = []byte(it.Lacks)
	}
	switch {
	case it.Patient != nil:
		a.Patient = it.Patient.Pseudonym
	case it.Owner != "":
		a.Patient = it.Owner
	}
	*v = Version{Table: v.Table, Key: v.Key, RowKey: v.RowKey, Remove: true, Set: true, Item: it, aside: a}
}
