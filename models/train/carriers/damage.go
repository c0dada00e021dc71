package main

import (
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble"
)

// A text is damaged as scanners, dictation, interfaces and hurried typists damage it.
// Each kind of damage changes the words of one window, and where a mark begins and ends
// is kept: what was PHI before is PHI after.

// piece is a word on its way through the damages: its text with what is before it.
type piece struct {
	text string
	gap  string
	mark int // of the sentence's entities, -1 for none
	tag  string
}

// damages are the kinds, each as likely as another.
var damages = []func(*rand.Rand, []piece){
	scanned, dictated, joinedLines, gluedWords, mistyped, markedUp, misdecoded, oneCase,
}

// damaged returns the window as one kind of damage leaves it, with words, tags and hits
// of the rules made anew.
func damaged(rng *rand.Rand, s sentence) sentence {
	pieces := piecesOf(s)
	damages[rng.IntN(len(damages))](rng, pieces)
	text, marks := joined(pieces)
	out := whole(s.Source, text, marks, s.Covers)
	out.Group = s.Group
	return out
}

// joined returns the text of pieces and what is marked in it. A mark begins with the first
// of its pieces and ends with the last one; of pieces that were lost nothing is marked.
func joined(pieces []piece) (string, []mark) {
	var text strings.Builder
	var marks []mark
	last := -1
	for _, p := range pieces {
		text.WriteString(p.gap)
		start := text.Len()
		text.WriteString(p.text)
		switch {
		case p.mark < 0 || p.text == "":
		case p.mark == last:
			marks[len(marks)-1].end = text.Len()
		default:
			marks = append(marks, mark{start, text.Len(), p.tag})
			last = p.mark
		}
	}
	return text.String(), marks
}

// whole makes one window of a text.
func whole(source, text string, marks []mark, covers []string) sentence {
	note := &ensemble.Note{Text: text}
	toks := note.View().Tokens
	s := sentence{Source: source, Covers: covers, Tags: tagWords(toks, marks), Rules: ruleHits(note)}
	for _, t := range toks {
		s.Words = append(s.Words, text[t.Start:t.End])
		s.Gaps = append(s.Gaps, gap(t))
	}
	return s
}

func piecesOf(s sentence) []piece {
	gaps := [...]string{"", " ", "\n"}
	out := make([]piece, len(s.Words))
	entity := -1
	for i, w := range s.Words {
		p := piece{text: w, gap: gaps[s.Gaps[i]], mark: -1}
		if s.Tags[i] == unknown {
			entity++
			p.mark, p.tag = entity, unknown
		} else if mark, tag, ok := strings.Cut(s.Tags[i], "-"); ok {
			if mark == "B" || i == 0 || s.Tags[i-1] == "O" {
				entity++
			}
			p.mark, p.tag = entity, tag
		}
		out[i] = p
	}
	return out
}

// lookalikes are characters that a scanner takes for one another.
var lookalikes = map[string][]string{
	"0": {"O", "o"}, "O": {"0"}, "1": {"l", "I"}, "l": {"1", "I"}, "I": {"l", "1"}, "5": {"S"}, "S": {"5"}, "8": {"B"}, "B": {"8"},
	"m": {"rn"}, "n": {"ri"}, "e": {"c"}, "c": {"e"}, "h": {"b"}, "a": {"o"}, "t": {"f"}, "g": {"q"}, "2": {"Z"}, "6": {"b"}, "u": {"ii"},
	"w": {"vv"},
}

// scanned confuses characters and breaks words.
func scanned(rng *rand.Rand, all []piece) {
	rate := 0.01 + 0.05*rng.Float64()
	for i := range all {
		var b strings.Builder
		for _, r := range all[i].text {
			if like := lookalikes[string(r)]; like != nil && rng.Float64() < rate*2 {
				b.WriteString(like[rng.IntN(len(like))])
				continue
			}
			b.WriteRune(r)
			if rng.Float64() < rate/8 {
				b.WriteByte(' ')
			}
		}
		all[i].text = strings.TrimSpace(b.String())
	}
}

var spokenDigits = [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// spokenMarks are punctuation marks as they are dictated, where they are.
var spokenMarks = map[string]string{".": "period", ",": "comma", ":": "colon", "-": "dash", "/": "slash", "@": "at"}

// dictated writes everything in lower case without most marks, and now and then numbers
// digit by digit.
func dictated(rng *rand.Rand, all []piece) {
	words, aloud := rng.IntN(3) == 0, rng.IntN(4) == 0
	for i := range all {
		p := &all[i]
		p.text = strings.ToLower(p.text)
		if p.gap == "\n" {
			p.gap = " "
		}
		r, _ := utf8.DecodeRuneInString(p.text)
		switch {
		case unicode.IsDigit(r) && words && isASCII(p.text):
			var spoken []string
			for _, d := range p.text {
				spoken = append(spoken, spokenDigits[d-'0'])
			}
			p.text = strings.Join(spoken, " ")
			space(all, i)
		case unicode.IsPunct(r) && aloud && spokenMarks[p.text] != "":
			p.text = spokenMarks[p.text]
			space(all, i)
		case strings.Contains(".,;:()\"", p.text) && rng.IntN(5) > 0:
			p.text = ""
			if i+1 < len(all) && all[i+1].gap == "" {
				all[i+1].gap = " "
			}
		}
	}
}

// space puts blanks around piece i.
func space(all []piece, i int) {
	if i > 0 && all[i].gap == "" {
		all[i].gap = " "
	}
	if i+1 < len(all) && all[i+1].gap == "" {
		all[i+1].gap = " "
	}
}

// joinedLines loses the line breaks, with or without a blank in their place.
func joinedLines(rng *rand.Rand, all []piece) {
	with := " "
	if rng.IntN(3) == 0 {
		with = ""
	}
	for i := range all {
		if all[i].gap == "\n" && i > 0 {
			all[i].gap = with
		}
	}
}

// gluedWords loses some blanks, mostly where letters meet digits or capitals.
func gluedWords(rng *rand.Rand, all []piece) {
	for i := 1; i < len(all); i++ {
		r, _ := utf8.DecodeRuneInString(all[i].text)
		last, _ := utf8.DecodeLastRuneInString(all[i-1].text)
		chance := 0.02
		if unicode.IsDigit(r) != unicode.IsDigit(last) || unicode.IsLower(last) && unicode.IsUpper(r) {
			chance = 0.15
		}
		if all[i].gap == " " && rng.Float64() < chance {
			all[i].gap = ""
		}
	}
}

// mistyped drops, doubles and swaps letters.
func mistyped(rng *rand.Rand, all []piece) {
	for i := range all {
		runes := []rune(all[i].text)
		if len(runes) < 4 || rng.Float64() > 0.08 {
			continue
		}
		at := 1 + rng.IntN(len(runes)-2)
		switch rng.IntN(3) {
		case 0:
			runes = append(runes[:at], runes[at+1:]...)
		case 1:
			runes = append(runes[:at+1], runes[at:]...)
		default:
			runes[at], runes[at+1] = runes[at+1], runes[at]
		}
		all[i].text = string(runes)
	}
}

// markedUp leaves tags and entities of markup in the text.
func markedUp(rng *rand.Rand, all []piece) {
	breaks := []string{"<br>", "<br/>\n", "</p><p>", "\\.br\\", "\\par ", " | ", "&#10;", "~"}
	br := breaks[rng.IntN(len(breaks))]
	for i := range all {
		if all[i].gap == "\n" && i > 0 {
			all[i].gap = br
		}
		switch all[i].text {
		case "&":
			all[i].text = "&amp;"
		case "'":
			all[i].text = "&#39;"
		case "\"":
			all[i].text = "&quot;"
		case "<":
			all[i].text = "&lt;"
		}
	}
}

// misdecoded shows characters beyond ASCII as bytes of another encoding.
func misdecoded(rng *rand.Rand, all []piece) {
	for i := range all {
		if all[i].text == "'" && rng.IntN(2) == 0 {
			all[i].text = "â€™"
		} else if all[i].text == "-" && rng.IntN(3) == 0 {
			all[i].text = "â€“"
		} else if !isASCII(all[i].text) {
			var b strings.Builder
			for _, c := range []byte(all[i].text) {
				b.WriteRune(rune(c))
			}
			all[i].text = b.String()
		}
	}
}

// oneCase writes the window in capitals or in lower case.
func oneCase(rng *rand.Rand, all []piece) {
	change := strings.ToLower
	if rng.IntN(2) == 0 {
		change = strings.ToUpper
	}
	for i := range all {
		all[i].text = change(all[i].text)
	}
}
