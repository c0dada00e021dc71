package proposal

import (
	_ "embed" // what words mean
	"slices"
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// wordsOf splits a name into lower-case words: "PatFirstName", "pat_first_name"
// and "PAT-FIRST-NAME" are the same three.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsDigit(r) != (len(word) > 0 && unicode.IsDigit(word[len(word)-1])) && len(word) > 0:
			flush()
		case unicode.IsUpper(r) && i > 0 && unicode.IsLower(runes[i-1]):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

// meaningful returns the words of a name without numbers at its end.
func meaningful(name string) []string {
	words := wordsOf(name)
	for len(words) > 1 && strings.Trim(words[len(words)-1], "0123456789") == "" {
		words = words[:len(words)-1]
	}
	return words
}

// rule gives a role to columns whose name holds one word of each group.
type rule struct {
	role   record.Role
	groups [][]string
}

//go:embed words.txt
var wordList string

// rules are tried in order: the first that fits decides. lists are words by what they
// have in common.
var rules, lists = readWords(wordList)

func readWords(text string) (rules []rule, lists map[string][]string) {
	lists = map[string][]string{}
	for line := range strings.Lines(text) {
		head, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		what, name, _ := strings.Cut(head, " ")
		switch {
		case !ok || strings.HasPrefix(head, "#"):
		case what == "list":
			lists[name] = append(lists[name], strings.Fields(rest)...)
		case what == "role":
			r := rule{role: record.Role(name)}
			for group := range strings.SplitSeq(rest, "+") {
				r.groups = append(r.groups, strings.Fields(group))
			}
			rules = append(rules, r)
		}
	}
	return rules, lists
}

// numbers are the roles of numbers, which may be stored as such and whose column's name
// may end in "id".
var numbers = []record.Role{
	record.MRN, record.SSN, record.Plan, record.Account, record.License, record.Device, record.Vehicle,
	record.ID,
}

// roleOf returns the role that a column's name suggests, or "".
func roleOf(name string) record.Role {
	words := meaningful(name)
	if len(words) == 0 {
		return ""
	}
	last := words[len(words)-1]
	coded := len(words) > 1 && slices.Contains(lists["coded"], words[len(words)-2])
	ofAddress := holds(words, "add", "address", "addr") && !holds(words, "change")
	switch {
	case slices.Contains(lists["kind"], last) && !(last == "code" && coded) && !(last == "line" && ofAddress):
		return "" // a code or a mark, whatever it is of
	case holds(words, lists["file"]...):
		return "" // the name of a file
	case len(words) == 1 && (last == "name" || last == "fullname"):
		return record.NameFull // of whom, the table says
	}
	role := firstRule(words)
	switch {
	case slices.Contains(lists["moment"], last) && role != record.BirthDate:
		return ""
	case len(words) > 1 && last == "id" && !slices.Contains(numbers, role):
		return "" // the key of something, not its name
	case !holds(words, lists["others"]...):
		return role
	case role == record.BirthDate:
		return "" // another person's
	case role == "" && holds(words, lists["given"]...) || strings.HasPrefix(string(role), "name."):
		return record.RelativeName
	}
	return role
}

func firstRule(words []string) record.Role {
	for _, r := range rules {
		if fits(words, r.groups) {
			return r.role
		}
	}
	return ""
}

func fits(words []string, groups [][]string) bool {
	for _, g := range groups {
		if !holds(words, g...) && !(len(words) == 1 && slices.Contains(g, "="+words[0])) {
			return false
		}
	}
	return true
}

// holds reports whether one of wanted is among words.
func holds(words []string, wanted ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(wanted, w) })
}

// ends reports whether the last word of a name is on a list.
func ends(words []string, list string) bool {
	return len(words) > 0 && slices.Contains(lists[list], words[len(words)-1])
}
