package synth

import (
	"strings"
	"time"
	"unicode/utf8"

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
	return strings.ToUpper(initial(n.First) + initial(n.Middle) + initial(n.Last))
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

// person is anybody whom text is written about. What does not apply is empty.
type person struct {
	Name
	female                                  bool
	group                                   lexicon.Group
	nick, maiden, kind, credential          string
	phone, mobile, pager, email, login, npi string
}

func (p *Patient) person() person {
	return person{
		Name: p.Name, female: p.Female, group: p.Group, nick: p.Nickname, maiden: p.Maiden,
		phone: p.Phone, mobile: p.Mobile, email: p.Email,
	}
}

func (p *Provider) person() person {
	return person{
		Name: p.Name, female: p.Female, group: p.Group, credential: p.Credential,
		phone: p.Phone, pager: p.Pager, email: p.Email, login: p.Login, npi: p.NPI,
	}
}

// relative returns one of the patient's relatives.
func (p *Patient) relative(i int) person {
	r := &p.Relatives[i]
	return person{Name: r.Name, female: r.Female, group: p.Group, kind: r.Kind, phone: r.Phone}
}

// initial returns the first letter of a name.
func initial(name string) string {
	_, size := utf8.DecodeRuneInString(name)
	return name[:size]
}

// asciiLower folds a name to lower-case ASCII letters; never empty.
func asciiLower(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 'a' || r > 'z' {
			return -1
		}
		return r
	}, lexicon.Fold(s))
	if s == "" {
		return "x"
	}
	return s
}
