package pgwire

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/statement"
	"github.com/pgdeid/pgdeid/internal/value"
)

// A chunk is what is asked of the desk at once: large enough to keep it busy, small enough that a cancelled query ends soon.
const (
	chunkRows  = 256
	chunkBytes = 8 << 20
)

// rows makes the rows of a result.
type rows interface {
	// fetch returns up to want rows, and io.EOF with the last ones or after them.
	fetch(ctx context.Context, want int) ([]Row, error)
	close()
}

// result is what a statement came to.
type result struct {
	phi.Redacted

	fields []field
	rows   rows   // nil: the statement returns none
	tag    string // of the command; %d of it is the number of rows
}

// fixed is rows at hand.
type fixed struct {
	phi.Redacted
	rows []Row
}

func (f *fixed) fetch(context.Context, int) ([]Row, error) { return f.rows, io.EOF }

func (f *fixed) close() {}

// scan runs a plan when rows are fetched, not before: it asks the desk, picks, sorts and cuts.
type scan struct {
	phi.Redacted

	*plan
	c       *session
	params  []Datum
	inputs  [][]Datum // by column of the table: its values, nil where the query does not say
	picks   [][]Datum // by filter: the values that it compares with
	listed  bool      // inputs come from a list: those of the outbox from the inbox, those of RETURNING from VALUES
	list    []Row     // what is still to ask of it
	at, end int       // of the combinations of inputs: the next one, and how many there are
	left    int64     // rows until LIMIT
	ready   []Row     // of the table, picked already
	sorted  bool
	counted bool
	held    int64 // of the budget, by values and by rows that were sorted
	fresh   int64 // of the budget, by rows of the last fetch
}

// open makes a scan.
func (c *session) open(p *plan, params []Datum) (*scan, *Error) {
	if err := p.answerable(); err != nil {
		return nil, err
	}
	s := &scan{plan: p, c: c, params: params}
	err := s.rewind()
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// rewind starts again from the first row.
func (s *scan) rewind() (err *Error) {
	s.close()
	s.at, s.end, s.left, s.sorted, s.counted = 0, 1, math.MaxInt64, false, false
	s.inputs, s.picks = make([][]Datum, len(s.table.Columns)), make([][]Datum, len(s.filters))
	for i, cond := range s.plan.inputs {
		if cond == nil {
			continue
		}
		if s.inputs[i], err = s.values(cond, s.table.Columns[i].Type); err != nil {
			return err
		}
		n := len(s.inputs[i])
		if s.end *= n; s.end > maxQuestions {
			return failf(stateTooLarge, "the query asks about %d combinations of values", s.end).
				hinted("a table with lists takes them side by side")
		}
	}
	for i, f := range s.filters {
		if s.picks[i], err = s.values(f.Condition, s.table.Columns[f.at].Type); err != nil {
			return err
		}
	}
	s.listed = s.table.Kind == Outbox
	if s.listed {
		s.list = s.c.inbox.rows
	}
	return s.limit()
}

// maxQuestions bounds the rows of inputs of one query, as "a = ANY … AND b = ANY …" has every pair.
const maxQuestions = 1 << 20

// limit evaluates LIMIT.
func (s *scan) limit() *Error {
	if s.sel.Limit == nil {
		return nil
	}
	d, err := s.c.evaluate(s.sel.Limit, s.params, value.Int8, &s.held)
	if err != nil || d.Null {
		return err
	}
	n, bad := strconv.ParseInt(d.Text, 10, 64)
	if bad != nil || n < 0 {
		return unsupported("that LIMIT", s.sel.Limit.Pos)
	}
	s.left = n
	return nil
}

// values returns what a condition compares with, each once and never NULL, as nothing equals it.
func (s *scan) values(cond *statement.Condition, typ value.Type) ([]Datum, *Error) {
	if cond.Op == "null" || cond.Op == "not null" {
		return nil, nil
	}
	if cond.Op != "any" {
		d, err := s.c.evaluate(&cond.Value, s.params, typ, &s.held)
		if err != nil || d.Null {
			return []Datum{}, err
		}
		return []Datum{d}, nil
	}
	d, err := s.c.evaluate(&cond.Value, s.params, value.TextList, &s.held)
	if err != nil {
		return nil, err
	}
	if err := s.c.budget.keep(2*value.Bytes*int64(len(d.List)), &s.held); err != nil {
		return nil, err
	}
	seen := make(map[string]bool, len(d.List))
	list := make([]Datum, 0, len(d.List))
	for _, one := range d.List {
		if _, bad := strconv.ParseInt(one.Text, 10, 64); bad != nil && !one.Null && typ != value.Text {
			return nil, badNumber(cond.Value.Pos)
		}
		if !one.Null && !seen[one.Text] {
			seen[one.Text] = true
			list = append(list, one)
		}
	}
	return list, nil
}

// asError returns an error of the budget.
func asError(err error) *Error {
	var f *Error
	_ = errors.As(err, &f)
	return f
}

func badNumber(pos int) *Error { return failf(stateBadText, "the value is no number").near(pos) }

// evaluate returns a value as one of a type. What it takes is added to held.
func (c *session) evaluate(v *statement.Value, params []Datum, typ value.Type, held *int64) (Datum, *Error) {
	d := Datum{Text: v.Text, Null: v.Kind == statement.Null}
	switch {
	case v.Param > 0:
		d = params[v.Param-1]
	case v.Kind == statement.Default:
		return d, unsupported("DEFAULT", v.Pos)
	case v.Kind == statement.List && typ != value.TextList:
		return d, unsupported("a list", v.Pos)
	case v.Kind == statement.List:
		if err := c.budget.keep(value.Bytes*int64(len(v.List)), held); err != nil {
			return d, err
		}
		d.List = make([]Datum, len(v.List))
		for i := range v.List {
			one, err := c.evaluate(&v.List[i], params, value.Text, held)
			if err != nil {
				return d, err
			}
			d.List[i] = one
		}
		return d, nil
	}
	if d.Null || typ == value.Text {
		return d, nil
	}
	if typ == value.TextList {
		list, err := value.SplitList(d.Text, c.room(held))
		if errors.Is(err, value.ErrList) {
			return d, failf(stateBadText, "%s", err).near(v.Pos)
		}
		return Datum{List: list}, asError(err)
	}
	if _, err := strconv.ParseInt(d.Text, 10, 64); err != nil {
		return d, badNumber(v.Pos)
	}
	return d, nil
}

// fetch returns up to want rows of the result, and io.EOF with the last ones or after them.
func (s *scan) fetch(ctx context.Context, want int) ([]Row, error) {
	s.sent()
	if s.counts {
		return s.countAll(ctx)
	}
	if len(s.order) > 0 && !s.sorted {
		if err := s.sort(ctx); err != nil {
			return nil, err
		}
	}
	var out []Row
	for len(out) < want && s.left > 0 && (len(s.ready) > 0 || !s.ended()) {
		if len(s.ready) == 0 {
			if err := s.more(ctx, want-len(out)); err != nil {
				return nil, err
			}
			continue
		}
		out = append(out, s.project(s.ready[0]))
		s.ready = s.ready[1:]
		s.left--
	}
	if s.left == 0 || len(s.ready) == 0 && s.ended() {
		return out, io.EOF
	}
	return out, nil
}

func (s *scan) project(r Row) Row {
	out := make(Row, len(s.columns))
	for i, col := range s.columns {
		out[i] = value.Null
		if col != nullColumn {
			out[i] = r[col]
		}
	}
	return out
}

// sent gives back the room of the rows of the last fetch.
func (s *scan) sent() {
	s.c.budget.giveBack(s.fresh)
	s.fresh = 0
}

// close gives back what the scan holds.
func (s *scan) close() {
	s.sent()
	s.c.budget.giveBack(s.held)
	s.held, s.ready, s.inputs, s.picks, s.list, s.at, s.end = 0, nil, nil, nil, nil, 0, 0
}

// ended reports whether there are no more inputs.
func (s *scan) ended() bool {
	if s.listed {
		return len(s.list) == 0
	}
	return s.at >= s.end
}

// chunk returns the next rows of inputs, about as many as are wanted.
func (s *scan) chunk(want int) []Row {
	var chunk []Row
	var size int64
	for !s.ended() && len(chunk) < min(max(want, 1), chunkRows) && size < chunkBytes {
		r := s.nextInput()
		if r != nil {
			chunk, size = append(chunk, r), size+r.Size()
		}
	}
	return chunk
}

// nextInput returns the next row of inputs, or nil where the inbox has one of another job.
func (s *scan) nextInput() Row {
	if s.listed {
		r := s.list[0]
		s.list = s.list[1:]
		if !r.HasAll(s.inputs) { // the outbox begins with the inbox's columns
			return nil
		}
		return r
	}
	r := make(Row, len(s.table.Columns))
	rest := s.at
	for i := len(r) - 1; i >= 0; i-- {
		r[i] = value.Null
		if n := len(s.inputs[i]); n > 0 {
			r[i], rest = s.inputs[i][rest%n], rest/n
		}
	}
	s.at++
	return r
}

// more asks the desk about the next inputs, and picks among the rows.
func (s *scan) more(ctx context.Context, want int) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	chunk := s.chunk(want)
	if len(chunk) == 0 {
		return nil
	}
	answered, err := s.c.ask(ctx, s.table, s.wants, chunk)
	if err != nil {
		return err
	}
	var size int64
	for _, r := range answered {
		size += r.Size()
	}
	if err := s.c.budget.keep(size, &s.fresh); err != nil {
		return err
	}
	for _, r := range answered {
		if s.picked(r) {
			s.ready = append(s.ready, r)
		}
	}
	return nil
}

// picked reports whether a row fulfils the conditions that are no inputs.
func (s *scan) picked(r Row) bool {
	for i, f := range s.filters {
		have := r[f.at]
		var holds bool
		switch f.Op {
		case "null":
			holds = have.Null
		case "not null":
			holds = !have.Null
		default:
			holds = !have.Null && slices.ContainsFunc(s.picks[i], func(d Datum) bool {
				return value.Holds(f.Op, value.Compare(have, d, s.table.Columns[f.at].Type))
			})
		}
		if !holds {
			return false
		}
	}
	return true
}

// countAll returns the number of rows, in one.
func (s *scan) countAll(ctx context.Context) ([]Row, error) {
	n := int64(0)
	for !s.ended() {
		s.sent()
		if err := s.more(ctx, chunkRows); err != nil {
			return nil, err
		}
		n, s.ready = n+int64(len(s.ready)), nil
	}
	done := s.counted || s.left == 0
	s.counted = true
	if done {
		return nil, io.EOF
	}
	return []Row{{{Text: strconv.FormatInt(n, 10)}}}, io.EOF
}

// sort takes all rows and puts them in order.
func (s *scan) sort(ctx context.Context) error {
	for !s.ended() {
		if err := s.more(ctx, chunkRows); err != nil {
			return err
		}
		s.held, s.fresh = s.held+s.fresh, 0
	}
	slices.SortStableFunc(s.ready, s.before)
	s.sorted = true
	return nil
}

func (s *scan) before(a, b Row) int {
	for _, k := range s.order {
		x, y := a[k.column], b[k.column]
		order := 0
		switch {
		case x.Null && y.Null:
		case x.Null == k.nullsFirst && x.Null != y.Null:
			return -1
		case x.Null != y.Null:
			return 1
		default:
			order = value.Compare(x, y, s.table.Columns[k.column].Type)
		}
		if k.descending {
			order = -order
		}
		if order != 0 {
			return order
		}
	}
	return 0
}

var errRows = errors.New("the desk answered with rows of another table")

// ask puts inputs to the desk, within the session's memory, and counts what came of it.
func (c *session) ask(ctx context.Context, t *Table, wants []bool, inputs []Row) ([]Row, error) {
	var room int64
	for _, r := range inputs {
		room += 3 * r.Size() // the questions, the answers' texts, and what is between
	}
	if err := c.budget.take(room); err != nil {
		return nil, err
	}
	defer func() { c.budget.giveBack(room) }()
	rights := c.rights()
	who := Who{User: c.who.user, Steward: rights.Steward, Limits: rights.Limit(c.server.opts.Limits)}
	answer, err := c.server.opts.Desk.Rows(ctx, &Query{Who: who, Table: t.Name, Wants: wants, Inputs: inputs, Room: c.room(&room)})
	c.count(t.Name, &answer.Counts)
	if err != nil {
		return nil, err
	}
	for _, r := range answer.Rows {
		if len(r) != len(t.Columns) {
			return nil, errRows
		}
	}
	return answer.Rows, nil
}
