package surrogate

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

func TestShelf(t *testing.T) {
	m := testMaker(t, Options{})
	s, err := m.NewShelf(2)
	if err != nil {
		t.Fatal(err)
	}
	book, who := s.Patient("7", record.Record{record.NameLast: {"Smith"}})
	smith := one(t, book, phi.Patient, "Smith")
	again, more := s.Patient("7", record.Record{record.NameFirst: {"John"}})
	if again != book || more == who || len(more.Record()) != 2 || len(who.Record()) != 1 {
		t.Error("the second note's record is not added to the first's")
	}
	if got := one(t, again, phi.Patient, "Smith"); got != smith {
		t.Errorf("Smith becomes %s, then %s", smith, got)
	}
	if _, same := s.Patient("7", record.Record{record.NameFirst: {"John"}}); same != more {
		t.Error("a record with nothing new makes another gazetteer")
	}
	s.Patient("8", nil)
	s.Patient("9", nil) // evicts 7
	reopened, _ := s.Patient("7", record.Record{record.NameLast: {"Smith"}})
	if reopened == book {
		t.Error("the shelf holds more than it should")
	}
	if got := one(t, reopened, phi.Patient, "SMITH"); got != strings.ToUpper(smith) {
		t.Errorf("opened anew, Smith becomes %s, before %s", got, smith)
	}
	if got := one(t, m.Patient(m.key.PatientPseudonym("7"), nil, nil, 0), phi.Patient, "Smith"); got != smith {
		t.Errorf("a replica of the same key shows %s, the shelf %s", got, smith)
	}
	if _, err := m.NewShelf(0); err == nil {
		t.Error("a shelf for no patients")
	}
}
