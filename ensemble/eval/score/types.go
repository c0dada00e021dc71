package score

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// TypeCounts are the words of one gold type or label, Found of Gold, and of one predicted type,
// False of Predicted; if the gold has our own types, a row has both. Typed of Found have a
// prediction of the same class.
type TypeCounts struct {
	Class     string `json:"class"`
	Gold      int    `json:"gold"`
	Found     int    `json:"found"`
	Typed     int    `json:"typed"`
	Predicted int    `json:"predicted"`
	False     int    `json:"false"`
}

// Recall is Found of Gold.
func (t TypeCounts) Recall() float64 { return Ratio(t.Found, t.Gold) }

// Precision is the share of Predicted that is not False.
func (t TypeCounts) Precision() float64 { return Ratio(t.Predicted-t.False, t.Predicted) }

// Right is the share of Gold that was found with the right class.
func (t TypeCounts) Right() float64 { return Ratio(t.Typed, t.Gold) }

// Missed is Gold less Found.
func (t TypeCounts) Missed() int { return t.Gold - t.Found }

func (t *TypeCounts) add(o TypeCounts) {
	t.Gold += o.Gold
	t.Found += o.Found
	t.Typed += o.Typed
	t.Predicted += o.Predicted
	t.False += o.False
}

// Counts returns the counts without those of right types.
func (t TypeCounts) Counts() Counts { return Counts{t.Gold, t.Found, t.Predicted, t.False} }

// row returns the counts of a label or type, creating them if needed.
func (t *Tally) row(name string, class Class) *TypeCounts {
	c := t.types[name]
	if c == nil {
		c = &TypeCounts{Class: class.String()}
		t.types[name] = c
	}
	return c
}

func (t *Tally) countPrediction(typ phi.Type, class Class, wrong bool) {
	c := t.row(typ.String(), class)
	c.Predicted++
	if wrong {
		c.False++
	}
}
