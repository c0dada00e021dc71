package pgwire

import "fmt"

// Costs steer a planner that asks (use_remote_estimate): a scan without its inputs
// can't be answered, so it costs more than anything that can.
const (
	costNever   = 1e10
	rowsNever   = 1e8
	costPerNote = 1.0
)

var explainFields = []field{{"QUERY PLAN", oidText}}

// explain tells what a statement costs.
func (c *session) explain(st *explainStmt) *result {
	line := fmt.Sprintf("Unanswerable  (cost=%.2f..%.2f rows=%.0f width=1000)", costNever, costNever, rowsNever)
	switch of := st.of.(type) {
	case *selectStmt:
		if p, err := c.plan(of); err == nil {
			line = p.explain()
		}
	case *insertStmt, *deleteStmt:
		line = "Inbox  (cost=0.00..1.00 rows=1 width=1000)"
	}
	return &result{fields: explainFields, rows: &fixed{[]row{{textDatum(line)}}}, tag: "EXPLAIN"}
}

func (p *plan) explain() string {
	width := 0
	for _, f := range p.fields {
		if n := typeSize(f.typ); n > 0 {
			width += int(n)
		} else {
			width += 500
		}
	}
	if p.table == nil {
		return fmt.Sprintf("Result  (cost=0.00..0.01 rows=1 width=%d)", width)
	}
	first, last, rows := costPerNote, costPerNote*p.table.rows, p.table.rows
	if p.missing() != "" {
		first, last, rows = costNever, costNever, rowsNever
	}
	if p.counts {
		rows = 1
	}
	return fmt.Sprintf("Engine Scan on %s  (cost=%.2f..%.2f rows=%.0f width=%d)", p.table.name, first, last, rows, width)
}
