package surrogate

import (
	"fmt"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

func TestEmail(t *testing.T) {
	b := testBook(t, "p", johnSmith(), 0)
	john, smith := strings.ToLower(one(t, b, phi.Patient, "John")), strings.ToLower(one(t, b, phi.Patient, "Smith"))
	full := one(t, b, phi.Email, "john.smith@care.com")
	local, domain, _ := strings.Cut(full, "@")
	if local != john+"."+smith || !strings.HasSuffix(domain, ".example.com") || strings.Contains(domain, "care.com") {
		t.Errorf("john.smith@care.com becomes %s", full)
	}
	if got := one(t, b, phi.Email, "jsmith@care.com"); got != john[:1]+smith+"@"+domain {
		t.Errorf("jsmith@care.com becomes %s, want %s%s@%s", got, john[:1], smith, domain)
	}
	if got := one(t, b, phi.Email, "JOHN.SMITH@CARE.COM"); got != strings.ToUpper(full) {
		t.Errorf("in capitals: %s", got)
	}
	if got := one(t, b, phi.Email, "mailto:john.smith@care.com"); got != "mailto:"+full {
		t.Errorf("mailto: %s", got)
	}
	other := one(t, b, phi.Email, "frontdesk77@clinic.net")
	if !regexp.MustCompile(`^[a-z0-9.]+@[a-z0-9]+\.example\.com$`).MatchString(other) || strings.Contains(other, "frontdesk") {
		t.Errorf("frontdesk77@clinic.net becomes %s", other)
	}
}

func TestURL(t *testing.T) {
	b := testBook(t, "p", nil, 0)
	for in, form := range map[string]string{
		"mayoclinic.org":     `^[a-z]+\.example\.org$`,
		"www.mayoclinic.org": `^www\.[a-z]+\.example\.org$`,
		"https://www.mayoclinic.org/doctors/jsmith?mrn=4": `^https://www\.[a-z]+\.example\.org/[a-z]+/[a-z]+$`,
		"http://jsmith:pw@host.net:8080/a":                `^http://[a-z]+\.example\.org/[a-z]+$`,
		"MAYOCLINIC.ORG":                                  `^[A-Z]+\.EXAMPLE\.ORG$`,
		"https://":                                        `^https://[a-z]+\.example\.org$`,
	} {
		if got := one(t, b, phi.URL, in); !regexp.MustCompile(form).MatchString(got) {
			t.Errorf("%s becomes %s, want %s", in, got, form)
		}
	}
}

func TestIP(t *testing.T) {
	nets := []netip.Prefix{
		netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
		netip.MustParsePrefix("2001:db8::/32"),
	}
	b := testBook(t, "p", nil, 0)
	for _, in := range []string{"127.0.0.1", "10.1.2.3", "fe80::1", "2001:db8:1:2::5"} {
		addr, err := netip.ParseAddr(one(t, b, phi.IPAddr, in))
		inside := false
		for _, n := range nets {
			inside = inside || n.Contains(addr)
		}
		if err != nil || !inside || addr.String() == in {
			t.Errorf("%s becomes %v (%v)", in, addr, err)
		}
	}
	if got := one(t, b, phi.IPAddr, "10.1.2.3:8080"); !strings.HasSuffix(got, ":8080") {
		t.Errorf("port: %s", got)
	}
	if got := one(t, b, phi.IPAddr, "10.1.2.x999"); strings.Contains(got, "999") {
		t.Errorf("no address: %s", got)
	}
}

func TestAge(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"{AGE|92}", "89+"},
		{"{AGE|92} years old", "89+ years old"},
		{"{AGE|92 years old}", "89+ years old"},
		{"a {AGE|92-year-old} man", "a 89+ year old man"},
		{"a {AGE|92}-year-old man", "a 89+ year old man"},
		{"{AGE|92}-YEAR-OLD", "89+ YEAR OLD"},
		{"{AGE|92yo}", "89+yo"},
		{"{AGE|92 y/o}", "89+ y/o"},
		{"{AGE|89}", "89"},
		{"{AGE|45-year-old}", "45-year-old"},
		{"{AGE|103}", "89+"},
		{"{AGE|ninety-two}", "89+"},
		{"{AGE|Ninety two years}", "89+ years"},
		{"{AGE|one hundred and three}", "89+"},
		{"{AGE|seventy-two}", "seventy-two"},
		{"in her {AGE|90s}", "in her 89+"},
		{"in her {AGE|nineties}", "in her 89+"},
		{"in her {AGE|80s}", "in her 80s"},
		{"{AGE|95 months}", "95 months"},
		{"{AGE|95} weeks", "95 weeks"},
		{"{AGE|95-day-old}", "95-day-old"},
		{"a {AGE|centenarian}", "a 89+ year old"},
		{"{AGE|92} and {AGE|45}", "89+ and 45"},
	} {
		if got := replaced(t, testBook(t, "p", nil, 0), c.in); got != c.want {
			t.Errorf("%s becomes %q, want %q", c.in, got, c.want)
		}
	}
	if AgeCap(89) != 89 || AgeCap(90) != 90 || AgeCap(103) != 90 || AgeCap(0) != 0 {
		t.Error("AgeCap")
	}
}

func TestJob(t *testing.T) {
	if got := one(t, testBook(t, "p", nil, 0), phi.Profession, "plumber"); got != "plumber" {
		t.Errorf("a profession was replaced by default: %s", got)
	}
	m := testMaker(t, Options{Profile: Custom, Actions: map[phi.Type]Action{phi.Profession: Replace}})
	for i := range 50 {
		b := m.Patient(fmt.Sprint(i), nil, nil, 0)
		if got := one(t, b, phi.Profession, "Retired Plumber"); strings.Contains(strings.ToLower(got), "plumber") && got == "Retired Plumber" {
			t.Errorf("Retired Plumber stays")
		}
	}
}

// Local parts that are put together from names of the record, numbers and letters.
func TestLocalParts(t *testing.T) {
	t.Parallel()
	b := testBook(t, "p", johnSmith(), 0)
	john, smith := strings.ToLower(one(t, b, phi.Patient, "John")), strings.ToLower(one(t, b, phi.Patient, "Smith"))
	for in, form := range map[string]string{
		"smithj@care.com":     "^" + smith + john[:1] + `@`,
		"johnsmith@care.com":  "^" + john + `\.?` + smith + `@`,
		"johnsmith7@care.com": "^" + john + `\.?` + smith + `\d@`,
		"4471@care.com":       `^\d{4}@`,
		"q.4471@care.com":     `^[a-z]\.\d{4}@`,
		"@care.com":           `^[a-z]+@`,
		"---@care.com":        `^[a-z]+@`,
		"care.com":            `^[a-z]+\.example\.org$`,
	} {
		got := one(t, b, phi.Email, in)
		if !regexp.MustCompile(form).MatchString(got) || got == in || strings.Contains(got, "care") && in[0] != 'c' {
			t.Errorf("%s becomes %s, want %s", in, got, form)
		}
		if again := one(t, b, phi.Email, in); again != got {
			t.Errorf("%s becomes %s, then %s", in, got, again)
		}
	}
}

// An "@" in a path is no login.
func TestPathsWithMarks(t *testing.T) {
	t.Parallel()
	b := testBook(t, "p", nil, 0)
	for in, form := range map[string]string{
		"https://host.net/@quorr/17": `^https://[a-z]+\.example\.org/[a-z]+/[a-z]+$`,
		"quorr:pw@host.net":          `^[a-z]+\.example\.org$`,
		"www.host.net#quorr":         `^www\.[a-z]+\.example\.org$`,
		"host.net/":                  `^[a-z]+\.example\.org/$`,
	} {
		if got := one(t, b, phi.URL, in); !regexp.MustCompile(form).MatchString(got) || strings.Contains(got, "quorr") {
			t.Errorf("%s becomes %s, want %s", in, got, form)
		}
	}
}

// A word of a reserved domain in a name of the text or of the record does not use up all addresses.
func TestAddressesWhereTheTextHasTheReservedDomain(t *testing.T) {
	t.Parallel()
	for _, rec := range []record.Record{nil, {record.Email: {"fry46@families.example.com"}}, {record.Employer: {"Example Com"}}} {
		b := testBook(t, "p", rec, -40)
		got := replaced(t, b, "{PATIENT|Maynard Woods daily (fry46@families.example.com}). Dr. {DOCTOR|Example Com}, {EMAIL|wpra34@health.example.net}.")
		if strings.Contains(got, "wpra34") || strings.Contains(got, "fry46") || !strings.Contains(got, mailDomain) {
			t.Errorf("%q", got)
		}
	}
}

// The surrogate that a name has had for long is somebody's name in a later text: the address with the name gets another one.
func TestAddressesOfNamesWhoseSurrogateIsSomebodys(t *testing.T) {
	t.Parallel()
	b := testBook(t, "p", record.Record{record.NameFirst: {"Iliana"}, record.NameLast: {"Licona"}}, -40)
	family, site := one(t, b, phi.Patient, "Licona"), one(t, b, phi.URL, "www.webpost.net")
	site, _, _ = strings.Cut(strings.TrimPrefix(site, "www."), ".")
	for _, others := range []string{family, site, family + "} and {DOCTOR|" + site} {
		got := replaced(t, b, "{DOCTOR|"+others+"} wrote to {EMAIL|iliana.licona."+fmt.Sprint(len(others))+"@webpost.net}.")
		if _, address, _ := strings.Cut(got, " wrote to "); strings.Contains(strings.ToLower(address), strings.ToLower(family)) && strings.HasPrefix(others, family) {
			t.Errorf("%q shows %s", got, family)
		}
	}
}
