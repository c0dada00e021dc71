package schema

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/connect"
)

// Part says which rows of a table are copied together: those of some patients, those that lead to
// none, or those between two keys. The zero value has all rows. It holds keys of the source and
// prints itself redacted.
type Part struct {
	phi.Redacted

	Patients []string `json:"patients,omitempty"` // as the source writes them
	Alone    bool     `json:"alone,omitempty"`    // the rows that lead to no patient
	After    []string `json:"after,omitempty"`    // the key that the first row comes behind of
	Until    []string `json:"until,omitempty"`    // the key of the last row
}

// Among says which rows of a table a query reads: From has the table as t0, Where is a condition
// or "", Args are its parameters. The zero value is all rows.
type Among struct {
	phi.Redacted

	From, Where string
	Args        []any
}

// Within returns which rows of t a part has.
func (t *Table) Within(p Part) Among {
	switch {
	case p.Alone:
		return Among{From: t.Source() + " t0", Where: t.leadsNowhere()}
	case len(p.Patients) > 0:
		clause, patient, alias := t.From(AtSource)
		return Among{From: clause, Where: patient.In(alias, 1), Args: patient.Args(p.Patients)}
	}
	of := Among{From: t.Source() + " t0"}
	var conditions []string
	if p.After != nil {
		conditions = append(conditions, t.after(t.Key, 1))
		of.Args = append(of.Args, anys(p.After)...)
	}
	if p.Until != nil {
		conditions = append(conditions, "not "+t.after(t.Key, len(of.Args)+1))
		of.Args = append(of.Args, anys(p.Until)...)
	}
	of.Where = strings.Join(conditions, " and ")
	return of
}

func anys(values []string) []any {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
	}
	return list
}

// leadsNowhere is the condition that finds the rows of t, as t0, that lead to no patient.
func (t *Table) leadsNowhere() string {
	if t.Next == nil {
		return t.Leads().List("t0") + " is null"
	}
	own := ""
	if t.Patient.Divides() {
		own = fmt.Sprintf("(%s) is not true and ", t.Patient.When.SQL("t0"))
	}
	from, n, at := t.Next.Source()+" t1", 1, t.Next
	for ; at.Next != nil; n++ {
		from += fmt.Sprintf(" join %s t%d on %s", at.Next.Source(), n+1, at.joined(n))
		at = at.Next
	}
	return own + fmt.Sprintf("not exists (select from %s where %s and %s is not null)", from, t.joined(0), at.Leads().List(fmt.Sprintf("t%d", n)))
}

// CountByPatient passes how many rows of t each patient has, as the source writes patients, and
// returns how many rows lead to none.
func (t *Table) CountByPatient(ctx context.Context, conn *pgx.Conn, each func(patient string, rows int64)) (alone int64, err error) {
	clause, via, alias := t.From(AtSource)
	query := fmt.Sprintf("select %s, count(*) from %s group by 1", via.List(alias), clause)
	err = QueryText(ctx, conn, query, func(raw [][]byte) error {
		n, err := strconv.ParseInt(string(raw[1]), 10, 64)
		if patient, ok := via.Read(raw); ok {
			each(patient, n)
		}
		return err
	})
	if err == nil {
		query = fmt.Sprintf("select count(*) from %s t0 where %s", t.Source(), t.leadsNowhere())
		err = connect.Lost(conn, conn.QueryRow(ctx, query).Scan(&alone))
	}
	return alone, err
}

// CutByKey returns the key of every nth row of t, in their order.
func (t *Table) CutByKey(ctx context.Context, conn *pgx.Conn, n int) (keys [][]string, err error) {
	query := fmt.Sprintf(`select * from (select %[1]s, row_number() over (order by %[1]s) as pgdeid_n from %[2]s t0) k
		where pgdeid_n %% %[3]d = 0 order by pgdeid_n`, t.KeyList(), t.Source(), n)
	err = QueryText(ctx, conn, query, func(raw [][]byte) error {
		key := make([]string, len(t.Key))
		for i, k := range t.Key {
			key[i] = t.Columns[k].Read(raw[i])
		}
		keys = append(keys, key)
		return nil
	})
	return keys, err
}
