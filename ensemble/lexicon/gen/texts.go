package main

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// texts counts the words of open clinical and medical text.
func (b *builder) texts() error {
	if err := b.src.field("mtsamples/mtsamples.jsonl.gz", "text", b.count); err != nil {
		return err
	}
	if err := b.src.field("medquad/medquad.jsonl.gz", "text", b.count); err != nil {
		return err
	}
	for _, f := range []string{"TrainingSet", "ValidationSet"} {
		err := b.src.records("mts-dialog/MTS-Dialog-"+f+".csv", func(get func(string) string) {
			b.count(get("section_text"))
			b.count(get("dialogue"))
		})
		if err != nil {
			return err
		}
	}
	for k, w := range b.words {
		// A word seen once and unknown otherwise is often a typing error.
		if w.lower+w.capital < 2 && w.surname == 0 && w.first == 0 {
			delete(b.words, k)
		}
		if w.capital < 3 {
			w.capital = 0
		}
	}
	return nil
}

func (b *builder) count(body string) {
	tokens := text.Tokenize(body)
	for i, t := range tokens {
		if t.Kind != text.Word || t.End-t.Start > 30 {
			continue
		}
		b.totals.text++
		s := body[t.Start:t.End]
		switch {
		case t.Case == text.Lower:
			if w := b.word(s); w != nil {
				w.lower++
			}
		case t.End-t.Start > 1 && unlikelyName(body, tokens, i):
			if w := b.word(s); w != nil {
				w.capital++
			}
		}
	}
}

// nameCues precede names of people and places.
var nameCues = map[string]bool{
	"dr": true, "doctor": true, "mr": true, "mrs": true, "ms": true, "miss": true, "by": true, "from": true, "in": true,
	"at": true, "near": true, "to": true, "nurse": true, "named": true, "called": true, "hi": true, "hello": true,
	"son": true, "daughter": true, "wife": true, "husband": true, "sister": true, "brother": true, "mother": true,
	"father": true, "is": true, "friend": true, "of": true,
}

// unlikelyName reports whether a capitalised word is at a position within a sentence where a name
// is unlikely.
func unlikelyName(s string, tokens []text.Token, i int) bool {
	if i == 0 || !tokens[i].Space || tokens[i].Line {
		return false
	}
	p := tokens[i-1]
	return p.Kind == text.Word && p.Case == text.Lower && !nameCues[strings.ToLower(s[p.Start:p.End])]
}
