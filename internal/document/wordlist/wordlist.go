package wordlist

import (
	"strings"
)

// Lines yields the lines of a list: what is before a colon and a space and what is behind it, in words. Comments are left out.
func Lines(text string) func(yield func(names, words []string) bool) {
	return func(yield func(names, words []string) bool) {
		for line := range strings.Lines(text) {
			names, words, ok := strings.Cut(line, ": ")
			if !ok || strings.HasPrefix(line, "#") {
				continue
			}
			if !yield(strings.Fields(names), strings.Fields(words)) {
				return
			}
		}
	}
}

// ByName returns the words for each name; lines with the same name go on.
func ByName(text string) map[string][]string {
	all := map[string][]string{}
	for names, words := range Lines(text) {
		for _, name := range names {
			all[name] = append(all[name], words...)
		}
	}
	return all
}

// Halves returns the words before and behind a bar.
func Halves(words []string) (before, behind []string) {
	for i, word := range words {
		if word == "|" {
			return words[:i], words[i+1:]
		}
	}
	return words, nil
}

// Set returns words as a set.
func Set(words []string) map[string]bool {
	s := make(map[string]bool, len(words))
	for _, word := range words {
		s[word] = true
	}
	return s
}
