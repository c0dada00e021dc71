package surrogate

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/words"
)

// Domains reserved for documentation (RFC 2606), so that made-up addresses belong to no one.
const (
	mailDomain = ".example.com"
	siteDomain = ".example.org"
)

// namedTries is how many addresses are tried with the surrogates of their names and of their site.
const namedTries = 64

// email replaces an address by one under example.com. Names in the local part are replaced by
// their surrogates.
func (w *work) email(text string) string {
	local, domain, found := strings.Cut(text, "@")
	if !found {
		return w.url(text)
	}
	scheme := ""
	if rest, ok := strings.CutPrefix(strings.ToLower(local), "mailto:"); ok {
		scheme, local = local[:len(local)-len(rest)], local[len(local)-len(rest):]
	}
	original := letter.Plain(strings.TrimSpace(local)) + "@" + letter.Plain(strings.TrimSpace(domain))
	to := w.find(kindLogin, original, func(c *choices, try int) string {
		s, site := w.localPart(local, c), w.site(hostOf(domain), mailDomain)
		// A surrogate that a name or a site has had for long may be somebody's name in this text.
		if try > namedTries {
			s = strings.ToLower(coin(c))
		}
		if try > 2*namedTries {
			site = strings.ToLower(coin(c)) + mailDomain
		}
		if try > 0 {
			s += strconv.Itoa(1 + c.below(99*try))
		}
		return s + "@" + site
	})
	return scheme + letter.InCaseOf(to, text)
}

// localPart returns a made-up local part: known names get their surrogates ("jsmith" becomes
// initial and surname), anything else becomes a made-up name.
func (w *work) localPart(local string, c *choices) string {
	var parts []string
	for word := range letter.Words(letter.Plain(local)) {
		letters := strings.TrimRight(word, "0123456789")
		var to string
		switch {
		case letters == "":
			to = w.number(word)
			letters = word
		case len(letters) == 1:
			to = string(w.letter(rune(letters[0])))
		case w.people().role(letters) != anyName || knownName(letters, 40):
			to = w.nameToken(letters, anyName)
		default:
			to = w.joinedName(letters, c)
		}
		if tail := word[len(letters):]; tail != "" {
			to += w.number(tail)
		}
		parts = append(parts, strings.ToLower(letter.Plain(to)))
	}
	if len(parts) == 0 {
		return strings.ToLower(coin(c))
	}
	return strings.Join(parts, ".")
}

// joinedName handles "jsmith", "smithj" and "johnsmith" for persons in the roster.
func (w *work) joinedName(letters string, c *choices) string {
	for _, named := range []*index{w.people().persons, w.people().met} {
		n, ok := named.logins[letters]
		if !ok {
			continue
		}
		given, family := named.persons[n].given[0], named.persons[n].family[len(named.persons[n].family)-1]
		toFamily := w.nameToken(family, familyName)
		switch letters {
		case given[:1] + family:
			return string(w.initialOf(given)) + toFamily
		case family + given[:1]:
			return toFamily + string(w.initialOf(given))
		default:
			return w.nameToken(given, givenName) + toFamily
		}
	}
	return string(usualLetters[c.below(len(usualLetters))]) + coin(c)
}

// hostOf returns the host of the part after "@" or "//", without port or path.
func hostOf(s string) string {
	if i := strings.IndexAny(s, ":/?# "); i >= 0 {
		s = s[:i]
	}
	return strings.Trim(s, ".> ")
}

var siteWords = words.List("drawn/site-words")

// site returns the made-up domain for a host, ignoring "www.".
func (w *work) site(host, under string) string {
	original := strings.TrimPrefix(letter.Plain(host), "www.")
	if original == "" {
		original = "?"
	}
	label := w.find(kindSite, original, func(c *choices, try int) string {
		name := strings.ToLower(c.oneOf(placeStarts)) + c.oneOf(siteWords)
		if try > 64 {
			name += strconv.Itoa(c.below(1000))
		}
		return name
	})
	return label + under
}

var pageWords = words.List("drawn/pages")

// url replaces a web address: scheme and "www." stay, the host becomes one under example.org, path
// segments become other words, and a query is removed.
func (w *work) url(text string) string {
	scheme, rest := "", text
	if i := strings.Index(text, "://"); i >= 0 {
		scheme, rest = text[:i+3], text[i+3:]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 && i < len(hostWithUser(rest)) {
		rest = rest[i+1:]
	}
	www := ""
	if len(rest) > 4 && strings.EqualFold(rest[:4], "www.") {
		www, rest = rest[:4], rest[4:]
	}
	host := hostOf(rest)
	path := rest[min(len(rest), strings.Index(rest, host)+len(host)):]
	out := letter.InCaseOf(w.site(host, siteDomain), host)
	if i := strings.IndexByte(path, '/'); i >= 0 {
		out += w.path(path[i:])
	}
	return scheme + www + out
}

func hostWithUser(s string) string {
	if i := strings.IndexByte(s, '/'); i >= 0 {
		return s[:i]
	}
	return s
}

// path replaces the segments of a URL's path and drops its query.
func (w *work) path(path string) string {
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if s != "" {
			segments[i] = w.source.choices("page", s).oneOf(pageWords)
		}
	}
	return strings.Join(segments, "/")
}

// testNets are the networks reserved for documentation: RFC 5737 and RFC 3849.
var testNets = []string{"192.0.2.", "198.51.100.", "203.0.113."}

// ip replaces an IP address by one of a documentation network and keeps a port or prefix length.
// Text that is not an IP address is replaced like a number.
func (w *work) ip(text string) string {
	host, tail := text, ""
	if i := strings.IndexByte(text, '/'); i >= 0 {
		host, tail = text[:i], text[i:]
	} else if i := strings.LastIndexByte(text, ':'); i >= 0 && strings.Count(text, ":") == 1 {
		host, tail = text[:i], text[i:]
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[] "))
	if err != nil {
		return w.id(text, zipType)
	}
	to := w.find(kindSite, addr.String(), func(c *choices, try int) string {
		if addr.Is4() && try < 2000 {
			return c.oneOf(testNets) + strconv.Itoa(1+c.below(254))
		}
		return "2001:db8::" + strconv.FormatUint(1+c.uint64()%0xfffe, 16) + ":" + strconv.FormatUint(1+c.uint64()%0xfffe, 16)
	})
	return to + tail
}

var jobs = words.List("drawn/jobs")

// job replaces an occupation; professions are kept unless the actions say otherwise.
func (w *work) job(text string) string {
	original := squeeze(letter.Plain(text))
	if original == "" {
		return text
	}
	to := w.find(kindJob, original, func(c *choices, try int) string {
		if try > 2*len(jobs) {
			return c.oneOf(jobs) + " " + c.oneOf(jobs)
		}
		return c.oneOf(jobs)
	})
	if c := letter.Case(text); c != lowerCase {
		return letter.InCase(letter.Titled(to), c)
	}
	return to
}
