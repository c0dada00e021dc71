package models

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
)

// Write writes definitions as a YAML file for [config.ParseModels]; the lines after the first can
// also be put under detect.models.
func Write(w io.Writer, defs []config.Model) error {
	var b strings.Builder
	if len(defs) == 0 {
		b.WriteString("models: none\n")
	} else {
		b.WriteString("models:\n")
	}
	for i := range defs {
		writeModel(&b, &defs[i])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeModel(b *strings.Builder, m *config.Model) {
	if m.Default {
		b.WriteString("  - " + m.Word() + "\n")
		return
	}
	fmt.Fprintf(b, "  - folder: %s\n", scalar(m.Folder))
	if len(m.Sums) > 0 {
		b.WriteString("    sha256:\n")
		for _, file := range slices.Sorted(maps.Keys(m.Sums)) {
			fmt.Fprintf(b, "      %s: %s\n", scalar(file), scalar(m.Sums[file]))
		}
	}
	writeLabels(b, m.Labels)
	if m.Cache > 0 {
		fmt.Fprintf(b, "    cache: %d\n", m.Cache)
	}
	b.WriteString("    members:\n")
	for i := range m.Members {
		fmt.Fprintf(b, "      - {%s}\n", strings.Join(memberWords(&m.Members[i]), ", "))
	}
}

// writeLabels writes a label map, by its name if it has one.
func writeLabels(b *strings.Builder, labels map[string]phi.Type) {
	if labels == nil {
		return
	}
	for _, name := range config.LabelMaps() {
		if known, _ := config.LabelMap(name); reflect.DeepEqual(known, labels) {
			fmt.Fprintf(b, "    labels: %s\n", scalar(name))
			return
		}
	}
	b.WriteString("    labels:\n")
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		word := "ignore"
		if t := labels[label]; t != phi.None {
			word = t.String()
		}
		fmt.Fprintf(b, "      %s: %s\n", scalar(label), word)
	}
}

// memberWords returns a member's keys and values, without those that are defaults.
func memberWords(m *config.Member) []string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	words := []string{"name: " + scalar(m.Name)}
	if len(m.Types) > 0 {
		names := make([]string, len(m.Types))
		for i, t := range m.Types {
			names[i] = t.String()
		}
		words = append(words, "types: ["+strings.Join(names, ", ")+"]")
	}
	if m.Normalize {
		words = append(words, "normalize: true")
	}
	if m.Priority > 0 {
		words = append(words, "priority: "+strconv.Itoa(m.Priority))
	}
	if m.Threshold != 0 {
		words = append(words, "threshold: "+number(m.Threshold))
	}
	if m.Alone != 0 {
		words = append(words, "alone: "+number(m.Alone))
	}
	if m.RecallBias != 0 {
		words = append(words, "recall_bias: "+number(m.RecallBias))
	}
	if len(m.Thresholds) > 0 {
		var each []string
		for _, t := range slices.Sorted(maps.Keys(m.Thresholds)) {
			each = append(each, t.String()+": "+number(m.Thresholds[t]))
		}
		words = append(words, "thresholds: {"+strings.Join(each, ", ")+"}")
	}
	return words
}

// plain matches what YAML reads as a string without quotes in any position.
var plain = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./-]*$`)

// reserved are words that YAML reads as something else.
var reserved = regexp.MustCompile(`(?i)^(true|false|yes|no|on|off|null|y|n)$`)

// scalar writes a string as is or, if needed, as JSON, which is valid YAML.
func scalar(s string) string {
	if plain.MatchString(s) && !reserved.MatchString(s) {
		return s
	}
	quoted, err := json.Marshal(s)
	if err != nil { // never for strings
		return strconv.Quote(s)
	}
	return string(quoted)
}
