package preflight

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/note"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// Of a column, sampledTexts texts of at most sampledBytes are looked at.
const (
	sampledTexts = 200
	sampledBytes = 1 << 20
	mostPaths    = 30 // that a finding lists
	// A path is listed that at least so many documents have, and one in so many of those looked at.
	fewDocuments = 3
	seldom       = 20
)

// checkDocuments looks at some texts of each column of policy text: whether those of a column with a format can be read in
// it, and whether those of a column without one are documents. No value leaves this file.
func (p *run) checkDocuments(ctx context.Context, conn *pgx.Conn) error {
	for i := range p.cfg.Tables {
		t := &p.cfg.Tables[i]
		table := p.catalog.Tables[t.FullName()]
		if table == nil {
			continue
		}
		columns := sampledDocuments(t, table)
		if len(columns) == 0 {
			continue
		}
		list := make([]string, len(columns))
		for i, c := range columns {
			list[i] = c.expression()
		}
		err := eachSampled(ctx, conn, t, list, sampledTexts, func(row []*string) {
			for i, c := range columns {
				c.look(row[i])
			}
		})
		if fault.State(err) == "42501" {
			continue // that the role can't read the table is a finding of its own
		}
		if err != nil {
			return fault.New("look at texts of "+t.FullName(), err, "")
		}
		for _, c := range columns {
			p.judgeDocuments("table "+t.FullName()+" column "+c.Name, c)
		}
	}
	return nil
}

// texts is a column of policy text of which values were looked at.
type texts struct {
	config.Column
	form    note.Form
	all     int
	broken  int            // of a column with a format
	unnamed map[string]int // paths that are left out
	kinds   map[string]int // what values of a column without a format look like, as the mapping says it
}

func newTexts(c *config.Column, source string) *texts {
	return &texts{Column: *c, form: note.FormOf(c, source), unnamed: map[string]int{}, kinds: map[string]int{}}
}

func sampledDocuments(t *config.Table, table *catalog.Table) []*texts {
	var columns []*texts
	for _, in := range table.Columns {
		c, ok := t.Column(in.Name)
		if !ok || c.Publish != config.Text && c.Publish != config.ByPath || t.Note != nil && c.Name == t.Note.Text && c.IsDocument() {
			continue // documents that lie in several rows are looked at as such
		}
		if _, err := c.ReplicaType(in.Type); err != nil {
			continue // said before
		}
		columns = append(columns, newTexts(c, in.Type))
	}
	return columns
}

// expression reads a value that is not too large.
func (c *texts) expression() string {
	return fmt.Sprintf("case when octet_length(%s%s) <= %d then %s end", quote.Name(c.Name), c.sizeCast(), sampledBytes, c.value())
}

// value reads a value as the stream has it.
func (c *texts) value() string {
	if c.isBytes() {
		return `'\x' || encode(` + quote.Name(c.Name) + ", 'hex')"
	}
	return quote.Name(c.Name) + "::text"
}

// sizeCast is behind the name of a column of a type that has no length of its own.
func (c *texts) sizeCast() string {
	if c.isBytes() {
		return ""
	}
	return "::text"
}

// isBytes reports whether values are bytea.
func (c *texts) isBytes() bool { return c.form.Bytes && !c.form.Array }

func (c *texts) look(value *string) {
	if value == nil || strings.TrimSpace(*value) == "" {
		return
	}
	c.all++
	if c.form != (note.Form{}) {
		opened, err := c.form.Open(*value)
		if err != nil {
			c.broken++
			return
		}
		for _, path := range opened.Unnamed() {
			c.unnamed[path]++
		}
		return
	}
	if kind := looksLike(*value); kind != "" {
		c.kinds[kind]++
	}
}

// looksLike returns what the mapping would have to say of a column of such values; "" for plain text.
func looksLike(value string) string {
	format, encoding := document.Guess([]byte(value))
	switch {
	case format == document.Plain && encoding == "":
		return ""
	case encoding == "":
		return "format: " + string(format)
	case format == document.Plain || format == "":
		return "encoding: " + string(encoding)
	}
	return fmt.Sprintf("format: %s, encoding: %s", format, encoding)
}

func (p *run) judgeDocuments(subject string, c *texts) {
	say := func(part int, text, remedy string) {
		if 2*part >= c.all {
			p.Problem(subject, text, remedy)
		} else {
			p.Warn(subject, text, remedy)
		}
	}
	if c.broken > 0 {
		say(c.broken, fmt.Sprintf("%d of %d values looked at can't be read as %s, and their rows would be set aside (bad_format)",
			c.broken, c.all, strings.TrimPrefix(c.Treatment(), string(config.Text)+" ")),
			"say the format and the encoding that the values have; format: auto takes documents of several formats")
	}
	if len(c.unnamed) > 0 {
		p.Note(subject, "left out, as paths do not name them, in %d values looked at: %s", c.all, c.leftOut())
	}
	for _, kind := range sortedKinds(c.kinds) {
		say(c.kinds[kind], fmt.Sprintf("%d of %d values looked at are documents, and the mapping says nothing of it: names that markup cuts or "+
			"encodes would be missed", c.kinds[kind], c.all), fmt.Sprintf("say {publish: text, %s}", kind))
	}
}

// leftOut lists paths that are left out. What few documents have may be a name or a number of a person as a key: it is counted.
func (c *texts) leftOut() string {
	var names []string
	for _, path := range sortedKinds(c.unnamed) {
		if c.unnamed[path] >= max(fewDocuments, c.all/seldom) && len(names) < mostPaths {
			names = append(names, path)
		}
	}
	if more := len(c.unnamed) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more, which are not named here", more))
	}
	return strings.Join(names, ", ")
}

func sortedKinds(kinds map[string]int) []string {
	list := make([]string, 0, len(kinds))
	for kind := range kinds {
		list = append(list, kind)
	}
	slices.Sort(list)
	return list
}
