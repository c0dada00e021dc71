package config

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Model defines a model and the members of the ensemble that vote with it.
type Model struct {
	// Default means the models that come with the program; nothing else is set
	// then but Fast.
	Default bool
	// Fast means those of the default models that are no networks.
	Fast bool
	// Folder holds config.json, which says of what kind the model is, and the files of its
	// kind. In a file it is relative to the file's folder.
	Folder string
	// Sums are the SHA-256 of the folder's files, in hexadecimal, by name.
	Sums map[string]string
	// Labels translates the model's labels; None: that label is ignored. Nil: they are
	// names of PHI types.
	Labels map[string]phi.Type
	// Cache is the number of sentences whose results are kept; 0: the default.
	Cache int
	// Members is never empty, except of the default models.
	Members []Member
}

// Member defines a member of the ensemble that votes with a model.
type Member struct {
	Name       string
	Types      []phi.Type           // what it votes for; empty: all that the model knows
	Normalize  bool                 // upper-case words are made title case before
	Priority   int                  // from 1, which comes first; 0: as [Member.Rank] says
	Threshold  float64              // probability that makes a word PHI; 0: 0.5
	Alone      float64              // probability from which a span needs no vote of another model or rule; 0: none does
	RecallBias float64              // added to the log-odds of PHI
	Thresholds map[phi.Type]float64 // by type, over Threshold
}

// Rank returns the member's priority: where none is said, that of its row in the main
// paper's Supplementary Table 1 (name, name normalised, location, age, organisation),
// and 6 for what is in no row or in several.
func (m *Member) Rank() int {
	const elsewhere = 6
	switch {
	case m.Priority > 0:
		return m.Priority
	case len(m.Types) == 0:
		return elsewhere
	}
	rank := rowOf(m.Types[0], m.Normalize)
	for _, t := range m.Types[1:] {
		if rowOf(t, m.Normalize) != rank {
			return elsewhere
		}
	}
	return rank
}

// rowOf returns the row of Supplementary Table 1 that a type belongs to.
func rowOf(t phi.Type, normalized bool) int {
	switch {
	case t.Class() == phi.ClassName && normalized:
		return 2
	case t.Class() == phi.ClassName:
		return 1
	case t == phi.Organization || t == phi.Hospital:
		return 5
	case t.Class() == phi.ClassLocation:
		return 3
	case t == phi.Age:
		return 4
	}
	return 6
}

// ModelsDefault, ModelsFast and ModelsNone are what detect.models can say instead of a list.
const (
	ModelsDefault = "default" // the models that come with the program
	ModelsFast    = "fast"    // those of them that are no networks
	ModelsNone    = "none"    // no members that learned
)

// ParseModels reads a file that holds nothing but a list of models under the key
// "models", as detect.models has it. Folders stay as they are written. With sealed the
// hashes are elsewhere and need not be said. Its errors are [Problems].
func ParseModels(data []byte, sealed bool) ([]Model, error) {
	var problems Problems
	var models []Model
	root, ok := parse(data, &problems)
	if !ok {
		return nil, problems
	}
	said := false
	root.setters(map[string]func(node){
		"models": func(n node) { models, said = readModels(n, sealed), true },
	})
	if !said && len(problems) == 0 {
		root.fail("want a list under the key models")
	}
	if len(problems) > 0 {
		return nil, capped(problems)
	}
	return models, nil
}

// readModels reads "default", "none" or a list.
func readModels(n node, sealed bool) []Model {
	if !n.isList() {
		way := ""
		oneOf("word instead of a list of models", &way, ModelsDefault, ModelsFast, ModelsNone)(n)
		if way == ModelsDefault || way == ModelsFast {
			return []Model{{Default: true, Fast: way == ModelsFast}}
		}
		return []Model{}
	}
	models := []Model{}
	names := map[string]bool{}
	for _, item := range n.items() {
		m := readModel(item, sealed)
		if m.Default && slices.ContainsFunc(models, func(o Model) bool { return o.Default }) {
			item.fail("the models of the program stand in the list twice")
		}
		for _, member := range m.Members {
			if names[member.Name] {
				item.fail("two members are called %q: give them names of their own under members", short(member.Name))
			}
			names[member.Name] = true
		}
		models = append(models, m)
	}
	return models
}

func readModel(n node, sealed bool) Model {
	var m Model
	if !n.isMapping() {
		var word string
		oneOf("model", &word, ModelsDefault, ModelsFast)(n)
		m.Default, m.Fast = true, word == ModelsFast
		return m
	}
	var members *node
	n.setters(map[string]func(node){
		"folder":  text(&m.Folder),
		"sha256":  sums(&m.Sums),
		"labels":  labels(&m.Labels),
		"cache":   integer(&m.Cache, 10_000_000),
		"members": func(v node) { members = &v },
	})
	if m.Folder == "" {
		n.fail("say where the model is: folder: /opt/models/NAME")
		return m
	}
	if len(m.Sums) == 0 && !sealed {
		n.fail("say the SHA-256 of the model's files: 'pgdeid models verify FOLDER' prints the lines")
	}
	if members != nil {
		m.Members = readMembers(*members)
	}
	if len(m.Members) == 0 {
		m.Members = []Member{{Name: MemberName(m.Folder)}}
	}
	return m
}

func readMembers(n node) []Member {
	var members []Member
	for _, item := range n.items() {
		var m Member
		item.setters(map[string]func(node){
			"name":        memberName(&m.Name),
			"types":       phiTypes(&m.Types),
			"normalize":   boolean(&m.Normalize),
			"priority":    integer(&m.Priority, 99),
			"threshold":   decimal(&m.Threshold, 0.0001, 0.9999),
			"alone":       decimal(&m.Alone, 0.0001, 0.9999),
			"recall_bias": decimal(&m.RecallBias, -20, 20),
			"thresholds":  thresholds(&m.Thresholds),
		})
		if m.Name == "" {
			item.fail("say what the member is called: name: NAME")
			continue
		}
		for t := range m.Thresholds {
			if len(m.Types) > 0 && !slices.Contains(m.Types, t) {
				item.fail("thresholds names %s, which is not among the member's types", t)
			}
		}
		members = append(members, m)
	}
	return members
}

// LeavesOut reports whether a list of members names those that do not vote: every name
// has a hyphen before it.
func LeavesOut(names []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return !strings.HasPrefix(name, "-") })
}

// memberPattern is what a member may be called.
var memberPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,39}$`)

// versionPattern is the name of a folder that says only which version is in it.
var versionPattern = regexp.MustCompile(`^[vV][0-9]+$`)

// MemberName makes a member's name of a folder's, and of the folder above where the
// folder's name is but a version: "models/names/v3" is names-v3.
func MemberName(folder string) string {
	base := filepath.Base(folder)
	if above := filepath.Base(filepath.Dir(filepath.Clean(folder))); versionPattern.MatchString(base) && above != "." {
		base = above + "-" + base
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, base)
	name = strings.TrimLeft(name, ".-")
	if name == "" {
		return "model"
	}
	return name[:min(len(name), 40)]
}

func memberName(dst *string) func(node) {
	return func(n node) {
		s, ok := n.scalar()
		switch {
		case !ok:
		case !memberPattern.MatchString(s):
			n.fail("want lower-case letters, digits, points, hyphens and underscores, at most 40")
		case slices.Contains(ensemble.DetectorNames(), s):
			n.fail("a built-in member has this name: choose another")
		default:
			*dst = s
		}
	}
}
