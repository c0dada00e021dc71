package main

import (
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strings"
)

// transcript is a record of mtsamples.
type transcript struct {
	Name string `json:"sample_name"`
	Text string `json:"text"`
}

// part returns the side of the split to which a text belongs.
type part uint8

const (
	training part = iota
	heldOut
)

// partOf puts a tenth of all texts aside, by what they say: copies and excerpts of
// a text begin alike and so are on the same side.
func partOf(text string) part {
	h := fnv.New64a()
	_, _ = h.Write([]byte(letters(text, 60))) // a hash's Write never fails
	if h.Sum64()>>9%10 == 0 {
		return heldOut
	}
	return training
}

// letters returns the first n letters and digits of a text in lower case.
func letters(text string, n int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		}
		if b.Len() >= n {
			break
		}
	}
	return b.String()
}

// loadTranscripts reads the distinct notes of mtsamples, as they are.
func loadTranscripts(data folder) (map[part][]string, error) {
	records, err := readJSON[transcript](data, "mtsamples/mtsamples.jsonl.gz")
	if err != nil {
		return nil, err
	}
	out, have := map[part][]string{}, map[string]bool{}
	for _, r := range records {
		key := letters(r.Text, 1<<20)
		if have[key] || len(key) < 40 {
			continue
		}
		have[key] = true
		p := partOf(r.Text)
		out[p] = append(out[p], r.Text)
	}
	return out, nil
}

var (
	afterHeader = regexp.MustCompile(`:[ ]*,[ ]*`)
	lostBreak   = regexp.MustCompile(`,+([^\s,])`)
	manyBreaks  = regexp.MustCompile(`\n{3,}`)
)

// restoreLines puts line breaks back where mtsamples has a comma instead: a comma
// with no blank behind it is one, unless it is in a number, and so is the comma
// behind a header's colon, where a blank reads better.
func restoreLines(text string) string {
	text = afterHeader.ReplaceAllString(text, ":  ")
	var b strings.Builder
	at := 0
	for _, m := range lostBreak.FindAllStringSubmatchIndex(text, -1) {
		if inNumber(text, m[0], m[2]) {
			continue
		}
		b.WriteString(text[at:m[0]])
		b.WriteByte('\n')
		at = m[2]
	}
	b.WriteString(text[at:])
	return strings.TrimSpace(manyBreaks.ReplaceAllString(b.String(), "\n\n"))
}

// inNumber reports whether the comma at i, with the next character at j, parts the
// digits of a number like 12,500 or of an enumeration like L4,5.
func inNumber(text string, i, j int) bool {
	if i == 0 || j != i+1 || !isDigit(text[i-1]) || !isDigit(text[j]) {
		return false
	}
	k := j
	for k < len(text) && isDigit(text[k]) {
		k++
	}
	listed := strings.HasPrefix(text[k:], ". ") && k-j < 3 // "2. " begins an item, "000. " ends a number
	return !listed
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

var headerBlank = regexp.MustCompile(`:  +`)

// glued is in how many notes of mtsamples one keeps its commas: other systems lose
// line breaks too.
const glued = 14

// restored lays a note of mtsamples out anew, its lines restored.
func restored(rng *rand.Rand, text string) string {
	if rng.IntN(glued) == 0 {
		return text
	}
	return relaid(rng, restoreLines(text))
}

// relaid changes a note's layout: what is between a header and its text, and
// between paragraphs.
func relaid(rng *rand.Rand, text string) string {
	switch rng.IntN(6) {
	case 0:
		text = headerBlank.ReplaceAllString(text, ":\n")
	case 1, 2:
		text = headerBlank.ReplaceAllString(text, ": ")
	}
	if rng.IntN(4) == 0 {
		text = strings.ReplaceAll(text, "\n", "\n\n")
	}
	return text
}
