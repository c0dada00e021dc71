package score

// sampler holds the columns to bootstrap and the destination of each interval.
type sampler struct {
	columns []*column
	put     []func(limits)
}

func (s *sampler) column(put func(limits)) *column {
	c := &column{}
	s.columns, s.put = append(s.columns, c), append(s.put, put)
	return c
}

// rates adds a column for a row of a table.
func (s *sampler) rates(into map[string]Rates, name string) *column {
	return s.column(func(l limits) {
		rates := into[name]
		rates.PrecisionCI, rates.RecallCI, rates.F1CI = l.precision, l.recall, l.f1
		into[name] = rates
	})
}

// intervals computes the 95% intervals of a report's headline scores and slices.
func (s *Scorer) intervals(r *Report, unmarked []Class) {
	var draw sampler
	var rows [numRows]*column
	for g := A; g < NumGroups; g++ {
		rows[groupRow(g)] = draw.rates(r.Groups, g.String())
	}
	for k := range Track(sampledTracks) {
		for _, w := range sampledWays {
			row, _ := trackRow(k, w)
			rows[row] = draw.rates(r.I2B2[k.String()], w.String())
		}
	}
	var classes [NumClasses]*column
	for c := range NumClasses {
		if _, ok := r.Classes[c.String()]; ok {
			classes[c] = draw.rates(r.Classes, c.String())
		}
	}
	for i := range s.notes {
		for _, c := range s.notes[i].cells {
			n := judged(c.wide(), c.class, unmarked)
			rows[c.row].add(i, n)
			if class := classes[c.class]; class != nil && c.row == groupRow(All) {
				class.add(i, n)
			}
		}
	}
	s.sliceColumns(&draw)
	for i, l := range bootstrap(len(s.notes), draw.columns) {
		draw.put[i](l)
	}
}

// sliceColumns adds a column for each slice.
func (s *Scorer) sliceColumns(draw *sampler) {
	parts := map[*Slice]*column{}
	for i := range s.notes {
		for _, c := range s.notes[i].slices {
			if parts[c.slice] == nil {
				parts[c.slice] = draw.column(func(l limits) { c.slice.RecallCI = l.recall })
			}
			parts[c.slice].add(i, c.wide())
		}
	}
}
