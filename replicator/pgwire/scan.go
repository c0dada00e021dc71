package pgwire

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// scan runs a plan: it takes rows from the table's source, picks, sorts and cuts
// them, and makes rows of the result. Work is done when rows are fetched, not before.
type scan struct {
	*plan
	env    *env
	params []datum
	source source
	ready  []row // rows of the table that were picked already
	ended  bool  // the source has no more
	skip   int64 // OFFSET that is left
	left   int64 // LIMIT that is left; negative: none
	sorted bool
	held   int64           // of the budget, by lists and rows that were sorted
	fresh  int64           // of the budget, by rows of the last fetch
	lists  map[int][]datum // of filters "= ANY", by their index
}

// open makes a scan.
func (p *plan) open(e *env, params []datum) (*scan, *failure) {
	s := &scan{plan: p, env: e, params: params}
	if err := s.rewind(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// rewind starts again from the first row.
func (s *scan) rewind() *failure {
	s.close()
	s.ended, s.sorted, s.skip, s.left = false, false, 0, -1
	var err *failure
	if s.source, err = s.openSource(); err != nil {
		return err
	}
	if s.stmt.limit != nil {
		if s.left, err = s.number(s.stmt.limit, -1); err != nil {
			return err
		}
	}
	if s.stmt.offset != nil {
		s.skip, err = s.number(s.stmt.offset, 0)
	}
	return err
}

// number evaluates LIMIT or OFFSET; NULL is none.
func (s *scan) number(x *expr, none int64) (int64, *failure) {
	d, err := s.env.evaluate(x, s.params)
	if err != nil || d.null {
		return none, err
	}
	n, perr := strconv.ParseInt(d.text, 10, 64)
	if perr != nil || n < 0 {
		return 0, failf(stateBadValue, "LIMIT and OFFSET take a whole number that is not negative").near(x.at)
	}
	return n, nil
}

func (s *scan) openSource() (source, *failure) {
	switch {
	case s.stmt.catalogue != nil:
		return &fixed{s.stmt.catalogue.answer(s.env, s.params)}, nil
	case s.table == nil:
		return &fixed{[]row{nil}}, nil
	}
	q := &query{env: s.env, table: s.table, wants: s.wants, bound: map[string][]datum{}, held: &s.held}
	empty := false
	for name, c := range s.inputs {
		values, err := s.values(c)
		if err != nil {
			return nil, err
		}
		q.bound[name], empty = values, empty || len(values) == 0
	}
	if name := s.missing(); name != "" {
		return nil, s.unanswerable(name)
	}
	if empty { // nothing equals NULL
		return &fixed{}, nil
	}
	return s.table.open(q)
}

// values returns what an input may be: never NULL, as nothing equals it.
func (s *scan) values(c condition) ([]datum, *failure) {
	d, err := s.env.evaluate(&c.value, s.params)
	if err != nil || d.null {
		return nil, err
	}
	if c.op != "any" {
		return []datum{d}, nil
	}
	list, err := d.elements(s.env.budget, &s.held)
	if err != nil {
		return nil, err.near(c.at)
	}
	isNull := func(d datum) bool { return d.null }
	if !slices.ContainsFunc(list, isNull) {
		return list, nil
	}
	if err := s.env.budget.keep(datumBytes*int64(len(list)), &s.held); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(list), isNull), nil
}

// fetch returns up to want rows of the result, and io.EOF with the last ones or
// after them.
func (s *scan) fetch(ctx context.Context, want int) ([]row, error) {
	s.sent()
	if s.counts {
		return s.countAll(ctx)
	}
	if len(s.order) > 0 && !s.sorted {
		if err := s.sort(ctx); err != nil {
			return nil, err
		}
	}
	var out []row
	for len(out) < want && s.left != 0 {
		if len(s.ready) == 0 {
			if s.ended {
				return out, io.EOF
			}
			if err := s.more(ctx, want-len(out)); err != nil {
				return nil, err
			}
			continue
		}
		r := s.ready[0]
		s.ready = s.ready[1:]
		if s.skip > 0 {
			s.skip--
			continue
		}
		if s.left > 0 {
			s.left--
		}
		projected, err := s.project(r)
		if err != nil {
			return nil, err
		}
		out = append(out, projected)
	}
	if s.left == 0 || s.ended && len(s.ready) == 0 {
		return out, io.EOF
	}
	return out, nil
}

// sent gives back the room of the rows of the last fetch.
func (s *scan) sent() {
	s.env.budget.giveBack(s.fresh)
	s.fresh = 0
}

// made is what rows of the source come to, without the inputs that they repeat.
func (s *scan) made(rows []row) int64 {
	var size int64
	for _, r := range rows {
		size += datumBytes * int64(len(r))
		for i := range r {
			if s.table != nil && i < len(s.table.columns) && !s.table.columns[i].input {
				size += r[i].size()
			}
		}
	}
	return size
}

// more takes rows from the source and picks among them.
func (s *scan) more(ctx context.Context, want int) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	rows, err := s.source.next(ctx, want)
	if errors.Is(err, io.EOF) {
		s.ended, err = true, nil
	}
	if err != nil {
		return err
	}
	if err := s.env.budget.keep(s.made(rows), &s.fresh); err != nil {
		return err
	}
	for _, r := range rows {
		ok, err := s.picks(r)
		if err != nil {
			return err
		}
		if ok {
			s.ready = append(s.ready, r)
		}
	}
	return nil
}

func (s *scan) countAll(ctx context.Context) ([]row, error) {
	n := int64(0)
	for ; !s.ended; s.ready = nil {
		s.sent()
		if err := s.more(ctx, chunkNotes); err != nil {
			return nil, err
		}
		n += int64(len(s.ready))
	}
	out := make(row, len(s.outputs))
	for i := range out {
		out[i] = intDatum(n)
	}
	return []row{out}, io.EOF
}

func (s *scan) project(r row) (row, error) {
	if s.stmt.catalogue != nil {
		return r, nil
	}
	out := make(row, len(s.outputs))
	for i := range s.outputs {
		o := &s.outputs[i]
		if o.column >= 0 {
			out[i] = r[o.column]
			continue
		}
		d, err := s.env.evaluate(&o.value, s.params)
		if err != nil {
			return nil, err
		}
		out[i] = d
	}
	return out, nil
}

// picks reports whether a row fulfils the conditions that are no inputs.
func (s *scan) picks(r row) (bool, error) {
	for i, f := range s.filters {
		ok, err := s.pick(r[f.column], i, f)
		if err != nil {
			return false, err
		}
		if !ok {
			return false, nil
		}
	}
	return true, nil
}

func (s *scan) pick(have datum, index int, f filter) (bool, error) {
	switch {
	case f.cond.op == "null":
		return have.null, nil
	case f.cond.op == "not null":
		return !have.null, nil
	case have.null:
		return false, nil
	}
	if f.cond.op == "any" {
		list, err := s.listOf(index, f)
		if err != nil {
			return false, err
		}
		return slices.ContainsFunc(list, func(d datum) bool { return s.compare(have, d, f.column) == 0 }), nil
	}
	d, err := s.env.evaluate(&f.cond.value, s.params)
	if err != nil {
		return false, err
	}
	if d.null {
		return false, nil
	}
	return holds(f.cond.op, s.compare(have, d, f.column)), nil
}

// listOf returns the values of a filter "= ANY", which are read once.
func (s *scan) listOf(index int, f filter) ([]datum, *failure) {
	if list, ok := s.lists[index]; ok {
		return list, nil
	}
	list, err := s.values(f.cond)
	if err != nil {
		return nil, err
	}
	if s.lists == nil {
		s.lists = map[int][]datum{}
	}
	s.lists[index] = list
	return list, nil
}

func holds(op string, order int) bool {
	switch op {
	case "=":
		return order == 0
	case "<>":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	default:
		return order >= 0
	}
}

// compare orders two values of a column: numbers by value, texts by code points.
func (s *scan) compare(a, b datum, column int) int {
	switch s.table.columns[column].typ {
	case oidInt2, oidInt4, oidInt8:
		x, errX := strconv.ParseInt(a.text, 10, 64)
		y, errY := strconv.ParseInt(b.text, 10, 64)
		if errX == nil && errY == nil {
			return cmp.Compare(x, y)
		}
	}
	return strings.Compare(a.string(), b.string())
}

// sort takes all rows and puts them in order.
func (s *scan) sort(ctx context.Context) error {
	var all []row
	for !s.ended {
		if err := s.more(ctx, chunkNotes); err != nil {
			return err
		}
		all, s.ready = append(all, s.ready...), nil
	}
	s.held, s.fresh = s.held+s.fresh, 0
	slices.SortStableFunc(all, s.before)
	s.ready, s.sorted = all, true
	return nil
}

func (s *scan) before(a, b row) int {
	for _, k := range s.order {
		x, y := a[k.column], b[k.column]
		switch {
		case x.null && y.null:
		case x.null || y.null:
			if x.null == k.nullsFirst {
				return -1
			}
			return 1
		default:
			if c := s.compare(x, y, k.column); c != 0 {
				if k.descending {
					return -c
				}
				return c
			}
		}
	}
	return 0
}

// close gives back what the scan holds.
func (s *scan) close() {
	s.sent()
	s.env.budget.giveBack(s.held)
	s.held, s.ready, s.lists, s.ended = 0, nil, nil, true
}
