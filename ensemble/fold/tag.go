package fold

import (
	"strings"
	"unicode/utf8"
)

// longestTag is the length up to which a tag is taken for one, attributes included.
const longestTag = 1 << 10

// inlineTags are the tags of HTML that may occur within a word. All others end a line.
const inlineTags = " a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark nobr q s samp small span " +
	"strike strong sub sup tt u var wbr "

// tag leaves out the tag or comment at i, if there is one, and returns where it ends.
func (w *writer) tag(i int) int {
	name, end := markupAt(w.original, i)
	if end == 0 {
		return i + 1
	}
	plain := "\n"
	if name == comment || strings.Contains(inlineTags, " "+strings.ToLower(name)+" ") {
		plain = ""
	}
	w.put(i, i+end, plain)
	return i + end
}

// betweenTags is read for what is between tags: no name goes on over it.
const betweenTags = "\n\n;\n\n"

// Tags reads, in plain characters, the attributes and comments that [Characters] leaves
// out, and nothing else; its S is "" where there are none.
func Tags(s string) Text {
	w := writer{original: s}
	for i := 0; i < len(s); {
		end := 0
		if s[i] == '<' {
			if name, n := markupAt(s, i); n > len(name)+len("</>") {
				end = i + n
			}
		}
		if end == 0 {
			i++
			continue
		}
		w.put(w.done, i, betweenTags)
		for i < end {
			switch c := s[i]; {
			case c >= utf8.RuneSelf:
				i = w.character(i)
			case c == '&':
				i = w.entity(i)
			default:
				i++
			}
		}
		w.put(i, i, "") // what of the tag is read as it is
	}
	if len(w.edits) == 0 {
		return Text{}
	}
	w.put(w.done, len(s), "")
	return w.text()
}

// comment is the name of a tag that is a comment.
const comment = "!--"

// markupAt returns the name and the length of the tag or comment at i, or 0.
func markupAt(original string, i int) (name string, end int) {
	s := original[i:min(len(original), i+longestTag)]
	if !strings.HasPrefix(s, "<!--") {
		return tagAt(s)
	}
	if end = strings.Index(s, "-->"); end < 0 {
		return "", 0
	}
	return comment, end + len("-->")
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
