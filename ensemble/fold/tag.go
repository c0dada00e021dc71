package fold

import "strings"

// longestTag is the length up to which a tag is taken for one, attributes included.
const longestTag = 1 << 10

// inlineTags are the tags of HTML that may occur within a word. All others end a line.
const inlineTags = " a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark nobr q s samp small span " +
	"strike strong sub sup tt u var wbr "

// tag leaves out the tag or comment at i, if there is one, and returns where it ends.
func (w *writer) tag(i int) int {
	s := w.original[i:min(len(w.original), i+longestTag)]
	if strings.HasPrefix(s, "<!--") {
		if end := strings.Index(s, "-->"); end >= 0 {
			w.put(i, i+end+3, "")
			return i + end + 3
		}
		return i + 1
	}
	name, end := tagAt(s)
	if end == 0 {
		return i + 1
	}
	plain := "\n"
	if strings.Contains(inlineTags, " "+strings.ToLower(name)+" ") {
		plain = ""
	}
	w.put(i, i+end, plain)
	return i + end
}

// tagAt returns the name and the length of the tag that a text begins with: "</b>",
// "<br/>", `<td class="x">`, "<o:p>".
func tagAt(s string) (name string, end int) {
	i := 1
	if i < len(s) && s[i] == '/' {
		i++
	}
	start := i
	for i < len(s) && (isLetter(s[i]) || i > start && (isDigit(s[i]) || s[i] == ':')) {
		i++
	}
	if name = s[start:i]; name == "" || i == len(s) {
		return "", 0
	}
	if s[i] != '>' && s[i] != '/' && s[i] != ' ' && s[i] != '\t' && s[i] != '\n' && s[i] != '\r' {
		return "", 0
	}
	n := strings.IndexAny(s[i:], "<>")
	if n < 0 || s[i+n] == '<' {
		return "", 0
	}
	return name, i + n + 1
}
