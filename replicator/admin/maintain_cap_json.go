package admin

import (
	"slices"
	"strconv"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/plain"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/surrogate"
)

// inDocuments is capOf for a column of JSON. An age in a document is that of when it was written.
func inDocuments(col *schema.Column, oldest int, dates bool) (which string, recap func(string) (string, bool)) {
	capped := func(rule *schema.Column) bool {
		return rule.Publish == config.Year && rule.Tells == "birth_date" || rule.Publish == config.ShiftDate && dates
	}
	if !slices.ContainsFunc(col.Rules, func(rule schema.Column) bool { return capped(&rule) }) {
		return "", nil
	}
	return "t." + schema.Quote(col.Name) + " is not null", func(text string) (string, bool) {
		changed := false
		opened, err := col.Form.OpenWith(text, func(rule int, value string, _ func(string) string) (string, bool) {
			if r := &col.Rules[rule]; capped(r) {
				if to, old := capInDocument(r, value, oldest); old {
					changed, value = true, to
				}
			}
			return value, true
		})
		if err != nil || !changed {
			return "", false
		}
		written, err := opened.Write(surrogate.Result{Text: opened.Text()})
		return written.Value, err == nil
	}
}

// capInDocument is capPublished for what is at a path, which may be a date without a day.
func capInDocument(rule *schema.Column, text string, oldest int) (string, bool) {
	p, err := plain.ParsePartial(text)
	if err != nil {
		return capPublished(rule, text, oldest)
	}
	first, _ := p.Days()
	if first.Year() >= oldest {
		return "", false
	}
	return strconv.Itoa(oldest) + text[len("2006"):], true
}
