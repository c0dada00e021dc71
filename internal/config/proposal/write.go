package proposal

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/config"
)

// written is a table as it is proposed.
type written struct {
	*table
	path    config.Path
	whyPath string // what it was seen by
	patient bool
	choices []choice
	note    *config.Note // if rows are lines of notes
	leave   string       // why the table is left out, where that is clear already
	onPath  bool         // other tables find their patient through it
}

// left says why a table is left out of the proposal, or "".
func (w written) left() string {
	switch {
	case strings.Contains(w.schema+w.name, "."):
		return "has a dot in its name, so it can't be named in this file"
	case w.leave != "":
		return w.leave
	case len(w.key) == 0:
		return "has no primary key, so its rows can't be told apart: give it one first"
	case !w.useful() && !w.onPath:
		return "holds nothing that was recognised"
	}
	return ""
}

// asNotes proposes that rows are lines of notes, where values showed it and the columns allow it.
func (w written) asNotes() written {
	if w.lines == nil || !w.patient {
		return w
	}
	note := &w.lines.note
	if w.path.Table == "" && !holds(wordsOf(note.Order), lists["lines"]...) && within(note.Key, w.path.Columns()) {
		return w // notes that are counted for each patient
	}
	published := map[string]config.Column{}
	for _, c := range w.choices {
		published[c.Name] = c.Column
	}
	for _, k := range note.Key {
		if p := published[k].Publish; p != config.Keep && p != config.Pseudonym || k == note.Order || k == note.Text {
			return w
		}
	}
	text := published[note.Text]
	if text.Publish == config.Text && text.Format == "" && text.Encoding == "" && len(text.Paths) == 0 && note.Order != note.Text {
		w.note = note
	}
	return w
}

// whyNote returns a comment that says why rows are lines of notes.
func (w written) whyNote() string {
	if w.lines == nil || w.note != &w.lines.note {
		return ""
	}
	return comment(w.lines.why())
}

// noteValue returns how rows make up notes, as YAML.
func noteValue(n *config.Note) string {
	value := fmt.Sprintf("{key: %s, order: %s, text: %s", names(n.Key), scalar(n.Order), scalar(n.Text))
	if n.Join == config.JoinNone {
		value += ", join: none"
	}
	return value + "}"
}

// useful reports whether the proposal has a part for this table: one that belongs
// to no patient and has nothing but keys to show has none.
func (w written) useful() bool {
	for _, c := range w.choices {
		if len(c.Roles()) > 0 || c.Publish != config.Drop && (w.patient || c.Publish != config.Pseudonym) {
			return true
		}
	}
	return false
}

const top = `# Proposed by "pgdeid init". Read every line: names and shapes of values were a
# guess. What was not recognised is dropped, with the reason beside it.
# internal/config/README.md describes every key, policy and role.
version: 1
source:
  dsn: %s
  password_file: secrets/replication
  admin_dsn: %s
  admin_password_file: secrets/source-admin
  reader_password_file: secrets/reader
replica:
  dsn: postgres://pgdeid_service@research.example.org/research
  password_file: secrets/service
  admin_dsn: postgres://dba@research.example.org/research
  admin_password_file: secrets/replica-admin
key_file: key
`

// write prints a configuration file.
func write(source, admin string, remarks []string, p *people, tables []written) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, top, scalar(source), scalar(admin))
	for _, r := range remarks {
		fmt.Fprintf(&b, "# %s\n", oneLine(r))
	}
	if len(p.key) == 0 {
		b.WriteString("# No table of patients was found: say by hand how rows lead to patients.\n")
	} else {
		fmt.Fprintf(&b, "patient_key: %s\n", p.kind)
	}
	b.WriteString("tables:\n")
	for _, w := range tables {
		writeTable(&b, w)
	}
	return b.Bytes()
}

func writeTable(b *bytes.Buffer, w written) {
	if why := w.left(); why != "" {
		fmt.Fprintf(b, "  # %s\n", oneLine(w.fullName()+" "+why))
		return
	}
	if w.unseen != "" {
		fmt.Fprintf(b, "  # %s\n", oneLine(w.fullName()+": "+w.unseen))
	}
	fmt.Fprintf(b, "  %s:\n", scalar(w.fullName()))
	switch {
	case !w.patient:
		b.WriteString("    patient: none\n")
	case w.path.Table == "" && w.path.Direct() && w.path.Column != "none" && w.path.When == nil:
		fmt.Fprintf(b, "    patient: %s%s\n", names(w.path.Columns()), comment(w.whyPath))
	default:
		fmt.Fprintf(b, "    patient: %s%s\n", pathValue(w.path), comment(w.whyPath))
	}
	if w.note != nil {
		fmt.Fprintf(b, "    note: %s%s\n", noteValue(w.note), w.whyNote())
	}
	b.WriteString("    columns:\n")
	for _, c := range w.choices {
		writeChoice(b, c)
	}
}

// pathValue returns a path as YAML.
func pathValue(p config.Path) string {
	parts := []string{"column: " + names(p.Columns())}
	for _, part := range []struct{ key, value string }{
		{"path", p.JSON}, {"format", string(p.Format)}, {"table", p.Table},
	} {
		if part.value != "" {
			parts = append(parts, part.key+": "+scalar(part.value))
		}
	}
	if p.Table != "" {
		parts = append(parts, "key: "+names(p.Keys()))
	}
	if p.When != nil {
		parts = append(parts, "when: "+scalar(p.When.String()))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// names returns names of columns as YAML.
func names(list []string) string {
	if len(list) == 1 {
		return scalar(list[0])
	}
	all := make([]string, len(list))
	for i, n := range list {
		all[i] = scalar(n)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func writeChoice(b *bytes.Buffer, c choice) {
	line := "      " + scalar(c.Name) + ":"
	paths := c.Paths
	if c.List.Name != "" {
		paths = paths[:c.List.Own]
	}
	if len(c.Paths) == 0 {
		line += " " + c.value()
	}
	if c.why != "" {
		line = fmt.Sprintf("%-40s # %s", line, oneLine(c.why))
	}
	b.WriteString(line + "\n")
	for _, p := range []struct{ key, value string }{{"fhir", c.List.Name}, {"domain", c.List.Domain}} {
		if p.value != "" {
			fmt.Fprintf(b, "        %s: %s\n", p.key, scalar(p.value))
		}
	}
	if len(paths) == 0 {
		return
	}
	b.WriteString("        paths:\n")
	for _, p := range paths {
		fmt.Fprintf(b, "          %s: %s\n", scalar(p.Name), choice{Column: p}.value())
	}
}

// comment returns a reason as it is written beside a line.
func comment(why string) string {
	if why == "" {
		return ""
	}
	return " # " + oneLine(why)
}

// oneLine keeps a comment from going on in the next line: names may hold line breaks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// value returns a column's mapping as YAML, but for its paths.
func (c choice) value() string {
	var parts []string
	if c.Tells != "" {
		parts = append(parts, "tells: "+string(c.Tells))
	}
	writing := c.writing()
	if len(parts) == 0 && len(writing) == 0 {
		return string(c.Publish)
	}
	if c.Publish != config.Drop {
		parts = append(parts, "publish: "+string(c.Publish))
	}
	return "{" + strings.Join(append(parts, writing...), ", ") + "}"
}

// writing returns what the mapping says of how values are written: those that are read, and those that are published.
func (c choice) writing() []string {
	if c.Publish == config.Drop && c.Separator != "" {
		return []string{"separator: " + scalar(c.Separator)}
	}
	if c.Publish == config.Drop {
		return nil
	}
	domain := c.Domain
	if c.Publish != config.Pseudonym || domain == c.Name {
		domain = ""
	}
	order, layout := string(c.Order), ""
	if c.Order.IsLayout() {
		order, layout = layout, order
	}
	var parts []string
	for _, p := range []struct{ key, value string }{
		{"domain", domain},
		{"order", order},
		{"layout", layout},
		{"separator", c.Separator},
		{"format", string(c.Format)},
		{"encoding", string(c.Encoding)},
	} {
		if p.value != "" {
			parts = append(parts, p.key+": "+scalar(p.value))
		}
	}
	return parts
}

// plainScalar are texts that YAML takes for what they are without quotes.
var plainScalar = regexp.MustCompile(`^[A-Za-z_]([A-Za-z0-9_.=@:/ -]*[A-Za-z0-9_])?$`)

// words are texts that mean something else to readers of YAML 1.1 or 1.2.
var words = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

// scalar writes a name so that YAML reads it back as the same text.
func scalar(s string) string {
	if plainScalar.MatchString(s) && !strings.Contains(s, ": ") && !slices.Contains(words, strings.ToLower(s)) {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s) + `"`
}
