package score

import (
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Way is a rule by which the evaluation of the i2b2/UTHealth 2014 shared task compares predictions
// with gold (Stubbs, Kotfila and Uzuner, J. Biomed. Inform. 58 Suppl., 2015, and its script), plus
// Overlap.
type Way uint8

// The ways. Relaxed matches everything that Strict matches, Overlap everything that Relaxed
// matches.
const (
	// Strict requires the same borders and type: the track's primary score, and that of Zhao et al.,
	// JMIR Med. Inform. 8 (2020), Tables 4 to 6.
	Strict Way = iota
	// Relaxed allows ends to differ by up to 2 characters ("'s", a full stop).
	Relaxed
	// Overlap requires the same type and a common character.
	Overlap
	// Borders requires the same borders, whatever the type ("binary strict").
	Borders
	// Tokens compares runs of letters and digits, each with its type.
	Tokens
	// CategoryTokens compares runs of letters and digits, each with its category (NAME,
	// LOCATION, ...): figure 2 of Dernoncourt et al. (2017), category by category.
	CategoryTokens
	// BinaryTokens compares runs of letters and digits, PHI or not: Table 3 and figures 3 and 4 of
	// Dernoncourt et al., J. Am. Med. Inform. Assoc. 24 (2017), which use HIPAA's types only.
	BinaryTokens
	numWays
)

var wayNames = [numWays]string{"strict", "relaxed", "overlap", "borders", "tokens", "category tokens", "binary tokens"}

// String returns the way's name, such as "binary tokens".
func (w Way) String() string { return wayNames[w] }

// Ways lists all ways.
func Ways() []Way {
	return []Way{Strict, Relaxed, Overlap, Borders, Tokens, CategoryTokens, BinaryTokens}
}

// relaxedEnd is the number of characters by which ends may differ for Relaxed.
const relaxedEnd = 2

// Track is a set of types that is scored; gold and predictions of other types are ignored, as in
// the script.
type Track uint8

// The tracks.
const (
	// FineTypes are i2b2's types, each separately. As in i2b2's annotation, pagers count as PHONE and
	// counties as LOCATION-OTHER; TIME is not a type.
	FineTypes Track = iota
	// HIPAA are the types of a strict reading of HIPAA, as listed by the task's organisers: without
	// doctors, user names, hospitals, states and countries, but with ages and years.
	HIPAA
	// HIPAAScript is HIPAA without IDNUM: its pattern in the organisers' script ends in a space and
	// never matches, so published scores exclude it.
	HIPAAScript
	numTracks
)

var trackNames = [numTracks]string{"i2b2", "HIPAA", "HIPAA as scripted"}

// String returns the track's name, such as "HIPAA".
func (k Track) String() string { return trackNames[k] }

// Tracks lists all tracks.
func Tracks() []Track { return []Track{FineTypes, HIPAA, HIPAAScript} }

var hipaaTypes = corpus.SetOf(
	phi.Patient, phi.Age, phi.City, phi.Street, phi.Zip, phi.Organization, phi.Date,
	phi.Phone, phi.Fax, phi.Email, phi.SSN, phi.MedicalRecord, phi.HealthPlan, phi.Account,
	phi.License, phi.Vehicle, phi.Device, phi.BioID, phi.IDNum,
)

// Has reports whether the track contains a type.
func (k Track) Has(t phi.Type) bool {
	if _, ok := ClassOf(t); !ok {
		return false
	}
	switch t = i2b2Type(t); k {
	case HIPAA:
		return hipaaTypes.Has(t)
	case HIPAAScript:
		return hipaaTypes.Has(t) && t != phi.IDNum
	default:
		return true
	}
}

// i2b2Type returns i2b2's type for one of ours.
func i2b2Type(t phi.Type) phi.Type {
	switch t {
	case phi.Pager:
		return phi.Phone
	case phi.County:
		return phi.LocationOther
	default:
		return t
	}
}

// sameType reports whether a prediction's type is among those of a gold label.
func sameType(gold corpus.TypeSet, t phi.Type) bool { return gold.Has(t) || gold.Has(i2b2Type(t)) }

// sameCategory reports whether a prediction's category (i2b2's tag: NAME, LOCATION, ...) is among
// those of a gold label.
func sameCategory(gold corpus.TypeSet, t phi.Type) bool {
	for _, g := range gold.Types() {
		if g.Class() == t.Class() {
			return true
		}
	}
	return false
}

// i2b2Key is a cell of the i2b2 scores: gold is counted under its main type, predictions under
// their own.
type i2b2Key struct {
	track Track
	way   Way
	typ   phi.Type
}

type i2b2Counts map[i2b2Key]Counts

func (c i2b2Counts) add(k i2b2Key, n Counts) {
	sum := c[k]
	sum.Add(n)
	c[k] = sum
}

// gold counts an entity or token of gold.
func (c i2b2Counts) gold(k Track, w Way, t phi.Type, found bool) {
	n := Counts{Gold: 1}
	if found {
		n.Found = 1
	}
	c.add(i2b2Key{k, w, i2b2Type(t)}, n)
}

// predicted counts an entity or token of a prediction.
func (c i2b2Counts) predicted(k Track, w Way, t phi.Type, right bool) {
	n := Counts{Predicted: 1}
	if !right {
		n.False = 1
	}
	c.add(i2b2Key{k, w, i2b2Type(t)}, n)
}

// i2b2Scores compares the finds in a document with its gold on every track and in every way.
func i2b2Scores(doc *Document, m *Marks, found []phi.Span) i2b2Counts {
	out := i2b2Counts{}
	for k := FineTypes; k < numTracks; k++ {
		gold, predicted := k.entities(doc, m, found)
		out.entities(k, doc.Text, gold, predicted)
		out.tokens(k, doc.Text, gold, predicted)
	}
	return out
}

// entity is a gold span with the types of its label and the main one.
type entity struct {
	phi.Range
	corpus.Meaning
}

// entities returns the spans of the track. Gold spans of equal borders and meaning count once, as
// the script compares sets.
func (k Track) entities(doc *Document, m *Marks, found []phi.Span) (gold []entity, predicted []phi.Span) {
	seen := map[entity]bool{}
	for _, g := range doc.Spans {
		e := entity{phi.Range{Start: g.Start, End: g.End}, corpus.MeaningOf(g.Types.Types()...)}
		e.Main = g.Main
		if !g.Ignored() && k.Has(g.Main) && !seen[e] {
			seen[e] = true
			gold = append(gold, e)
		}
	}
	for _, s := range found {
		if k.Has(s.Type) && !m.Ignored(doc.Text, phi.Range{Start: s.Start, End: s.End}) {
			predicted = append(predicted, s)
		}
	}
	return gold, predicted
}
