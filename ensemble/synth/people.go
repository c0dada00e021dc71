package synth

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// Name is a person's name in parts; Middle and Suffix may be empty.
type Name struct{ First, Middle, Last, Suffix string }

// Full returns "First Middle Last Suffix".
func (n Name) Full() string {
	return strings.Join(strings.Fields(n.First+" "+n.Middle+" "+n.Last+" "+n.Suffix), " ")
}

// Initials returns the first letters of first, middle and last name: "JCS".
func (n Name) Initials() string {
	s := ""
	for _, part := range []string{n.First, n.Middle, n.Last} {
		s += initial(part)
	}
	return strings.ToUpper(s)
}

// Address is a postal address in the United States.
type Address struct{ Street, City, State, Zip string }

// Relative is a contact of a patient.
type Relative struct {
	Kind   string // "wife", "son", …
	Female bool
	Name   Name
	Phone  string
}

// Insurance is a health plan of a patient.
type Insurance struct{ Payer, Member, GroupNo string }

// Patient is a made-up patient with what structured tables hold of them.
type Patient struct {
	ID         int64
	Name       Name
	Nickname   string // may be empty
	Maiden     string // former surname, may be empty
	Female     bool
	Group      lexicon.Group
	Birth      time.Time
	MRN        string
	SSN        string
	Account    string
	Language   string
	Marital    string
	Job        string
	Employer   string
	Home       Address
	Former     *Address // an earlier address, or nil
	Phone      string
	Mobile     string
	Email      string // may be empty
	License    string // of driving
	Plate      string
	Device     string // serial number of an implant, may be empty
	Plan       Insurance
	Relatives  []Relative
	Primary    int // index of the primary care provider
	Site       int // index of the home site
	Conditions []int
}

// Provider is a member of the staff.
type Provider struct {
	ID         int64
	Name       Name
	Female     bool
	Group      lexicon.Group
	Credential string // "MD", "RN", …
	Specialty  string
	Login      string
	Pager      string
	Phone      string
	Email      string
	NPI        string
	Site       int
}

// Doctor reports whether the provider is addressed as one.
func (p *Provider) Doctor() bool {
	return p.Credential == "MD" || p.Credential == "DO" || p.Credential == "PhD" || p.Credential == "DDS"
}

// Site is a hospital or clinic.
type Site struct {
	ID      int64
	Name    string // "San Rafael Mount Hospital"
	Short   string // "Rafael Mount"
	Abbrev  string // "SRMH"
	Address Address
	Phone   string
	Fax     string
	URL     string
	Inhouse bool // has beds
}

// Encounter is a visit, a stay or a call.
type Encounter struct {
	ID       int64
	Patient  int // index
	Provider int
	Site     int
	Class    string // "outpatient", "inpatient", "emergency", "telephone"
	Start    time.Time
	End      time.Time
	Reason   string
}

var credentials = []string{"MD", "MD", "MD", "MD", "MD", "DO", "DO", "NP", "PA-C", "RN", "RN", "RN", "LPN", "PharmD", "PT", "RD", "LCSW", "PhD", "MA", "RRT"}

var specialties = []string{
	"Family Medicine", "Internal Medicine", "Cardiology", "Oncology", "Neurology", "Orthopedics", "Radiology", "Pathology",
	"Emergency Medicine", "General Surgery", "Pediatrics", "Psychiatry", "Nephrology", "Pulmonology", "Gastroenterology", "Urology",
}

func (h *Hospital) newProvider(rng *rand.Rand, i int) Provider {
	p := Provider{
		ID: int64(501 + i), Female: oneIn(rng, 2), Group: h.lists.group(rng), Credential: either(rng, credentials...),
		Specialty: either(rng, specialties...), Site: rng.IntN(len(h.Sites)),
	}
	p.Name = Name{First: h.lists.firstName(rng, p.Group, p.Female), Last: h.lists.surname(rng, p.Group)}
	if oneIn(rng, 3) {
		p.Name.Middle = string(rune('A'+rng.IntN(26))) + "."
	}
	p.Login = h.newLogin(rng, p.Name, i)
	p.Pager = fmt.Sprintf("%05d", 10000+rng.IntN(89999))
	p.Phone = phone(rng)
	p.Email = fmt.Sprintf("%s@%s", p.Login, either(rng, "example.org", "health.example.net", "clinic.example.com"))
	p.NPI = fmt.Sprintf("1%09d", rng.IntN(1_000_000_000))
	return p
}

// newLogin follows the customs of real directories; it is never the same twice.
func (h *Hospital) newLogin(rng *rand.Rand, n Name, i int) string {
	last := asciiLower(n.Last)
	first := asciiLower(n.First)
	switch rng.IntN(4) {
	case 0:
		return fmt.Sprintf("%s%s%d", first[:1], last, i%100)
	case 1:
		return fmt.Sprintf("%s%s%02d", first[:1], last[:min(3, len(last))], i)
	case 2:
		return fmt.Sprintf("%s.%s%d", first, last, i%7)
	default:
		return fmt.Sprintf("m%s%04d", first[:1]+last[:1], 1000+i*7)
	}
}

// asciiLower folds a name to lower-case ASCII letters; never empty.
func asciiLower(s string) string {
	s = lexicon.Fold(s)
	s = strings.Map(func(r rune) rune {
		if r < 'a' || r > 'z' {
			return -1
		}
		return r
	}, s)
	if s == "" {
		return "x"
	}
	return s
}
