package eval

// intervals puts 95% intervals into the headline scores of a report and into slices.
func (s *Scorer) intervals(r *Report, unmarked []Class) {
	if s.sums {
		r.entityRates()
		return
	}
	var columns []*column
	var puts []func(limits)
	var rows [int(numGroups) + int(sampledTracks)*len(sampledWays)]*column
	put := func(into map[string]Rates, name string) *column {
		c := &column{}
		columns = append(columns, c)
		puts = append(puts, func(l limits) {
			rates := into[name]
			rates.within(l)
			into[name] = rates
		})
		return c
	}
	for g := A; g < numGroups; g++ {
		rows[groupRow(g)] = put(r.Groups, g.String())
	}
	for k := range Track(sampledTracks) {
		for _, w := range sampledWays {
			row, _ := trackRow(k, w)
			rows[row] = put(r.I2B2[k.String()], w.String())
		}
	}
	classes := map[Class]*column{}
	for c := range numClasses {
		if _, ok := r.Classes[c.String()]; ok {
			classes[c] = put(r.Classes, c.String())
		}
	}
	parts := map[*Slice]*column{}
	for i := range s.notes {
		for _, c := range s.notes[i].cells {
			n := judged(c.wide(), c.class, unmarked)
			rows[c.row].add(i, n)
			if class := classes[c.class]; class != nil && c.row == groupRow(All) {
				class.add(i, n)
			}
		}
		for _, c := range s.notes[i].slices {
			if parts[c.slice] == nil {
				part := &column{}
				parts[c.slice] = part
				columns = append(columns, part)
				puts = append(puts, func(l limits) { c.slice.RecallCI = l.recall })
			}
			parts[c.slice].add(i, c.wide())
		}
	}
	for i, l := range bootstrap(len(s.notes), columns) {
		puts[i](l)
	}
	r.entityRates()
}

// entityRates repeats the three rows of i2b2's types that everybody asks for.
func (r *Report) entityRates() {
	types := r.I2B2[FineTypes.String()]
	r.Strict, r.Relaxed, r.Overlap = types[Strict.String()], types[Relaxed.String()], types[Overlap.String()]
}
