package synth

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func contactSlots() map[string]func(*scene) {
	return map[string]func(*scene){
		"hosp.phone": func(s *scene) { s.phone(phi.Phone, s.site.Phone) },
		"hosp.fax":   func(s *scene) { s.phone(phi.Fax, s.site.Fax) },
		"hosp.url": func(s *scene) {
			s.mark(phi.URL, either(s.rng, "", "http://", "https://")+s.site.URL+either(s.rng, "", "/portal", "/mychart"))
		},
		"email":          func(s *scene) { s.mark(phi.Email, s.emailOf()) },
		"phone":          func(s *scene) { s.phone(phi.Phone, either(s.rng, s.pt.Phone, s.pt.Mobile)) },
		"hosp.phone.ext": func(s *scene) { s.extended(s.site.Phone) },
		"phone.ext":      func(s *scene) { s.extended(phone(s.rng)) },
		"phone.any":      func(s *scene) { s.phone(phi.Phone, phone(s.rng)) },
		"fax":            func(s *scene) { s.phone(phi.Fax, phone(s.rng)) },
		"ext":            func(s *scene) { s.mark(phi.Phone, digits(s.rng, 4+s.rng.IntN(2))) },
		"pager":          func(s *scene) { s.mark(phi.Pager, s.author.Pager) },
		"url": func(s *scene) {
			s.mark(phi.URL, either(s.rng, "http://", "https://", "")+"www."+asciiLower(s.pt.Name.Last)+either(s.rng, "family.example.com/pics", ".example.net", "blog.example.org/"+digits(s.rng, 3)))
		},
		"ip": func(s *scene) {
			s.mark(phi.IPAddr, itoa(1+s.rng.IntN(222))+"."+itoa(s.rng.IntN(256))+"."+itoa(s.rng.IntN(256))+"."+itoa(1+s.rng.IntN(254)))
		},
	}
}

func (s *scene) emailOf() string {
	if s.pt.Email == "" {
		return email(s.rng, s.pt.Name)
	}
	return s.pt.Email
}

// phone writes ten digits in a layout of the day.
func (s *scene) phone(t phi.Type, number string) {
	a, b, c := number[:3], number[4:7], number[8:]
	s.mark(t, either(s.rng, number, number, "("+a+") "+b+"-"+c, "("+a+")"+b+"-"+c, a+"."+b+"."+c, a+" "+b+" "+c, a+b+c, "1-"+number,
		"+1 "+a+" "+b+" "+c, a+"/"+b+"-"+c, b+"-"+c, a+"- "+b+"-"+c))
}

// extended writes a number with its extension as one.
func (s *scene) extended(number string) {
	s.mark(phi.Phone, number+either(s.rng, " ext ", " x", ", ext. ", " ext. ", " Ext ")+digits(s.rng, 3+s.rng.IntN(3)))
}
