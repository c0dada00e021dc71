package tbed

import (
	"context"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/features"
)

// batchTokens is how many tokens are tagged at once, or one sentence more.
const batchTokens = 1024

// byPattern means that no rule gave a token its tag.
const byPattern int32 = -1

// batch is the reusable working memory of a run over some sentences.
type batch struct {
	keys    []features.Key
	cells   []valueID // by token, then by column
	tags    []Tag
	by      []int32      // the rule that gave the tag, or byPattern
	place   []int32      // of each token of the note in the batch
	having  [256][]int32 // by tag of PHI, the places that got it; some may have another one by now
	hits    []uint64     // rule and, in the lower half, place
	changed []int32
}

// tagged is the output of a program for a note: a tag for each token, and which rule gave it.
type tagged struct {
	tags []Tag
	by   []int32
}

// run tags a note's tokens.
func (p *program) run(ctx context.Context, patterns ensemble.Detector, note *ensemble.Note, b *batch) (tagged, error) {
	sheet, err := features.New(ctx, note, features.Options{})
	if err != nil {
		return tagged{}, err
	}
	out := tagged{by: slices.Repeat([]int32{byPattern}, len(note.View().Tokens))}
	if out.tags, err = patternTags(ctx, patterns, note, nil); err != nil {
		return tagged{}, err
	}
	ends := sentenceEnds(note)
	for first := 0; first < len(ends); {
		from, last := 0, first
		if first > 0 {
			from = ends[first-1]
		}
		for last+1 < len(ends) && ends[last+1]-from <= batchTokens {
			last++
		}
		b.fill(p, sheet, out.tags, from, ends[first:last+1])
		if err := p.apply(ctx, b); err != nil {
			return tagged{}, err
		}
		for i, at := range b.place {
			out.tags[from+i], out.by[from+i] = b.tags[at], b.by[at]
		}
		first = last + 1
	}
	return out, nil
}

// fill lays out the sentences from token from with the given ends, with padding between them as in
// a training table.
func (b *batch) fill(p *program, sheet *features.Sheet, tags []Tag, from int, ends []int) {
	n, columns := ends[len(ends)-1]-from, p.columns()
	size := n + maxOffset*(len(ends)+1)
	b.cells = append(b.cells[:0], make([]valueID, size*columns)...)
	b.tags = append(b.tags[:0], make([]Tag, size)...)
	b.by = append(b.by[:0], make([]int32, size)...)
	b.place, b.hits = b.place[:0], b.hits[:0]
	for tag := range b.having {
		b.having[tag] = b.having[tag][:0]
	}
	b.keys = sheet.Keys(b.keys[:0], p.attributes, from, from+n)
	at, i := b.edge(0, columns), 0
	for _, end := range ends {
		for ; from+i < end; i++ {
			b.place = append(b.place, int32(at))
			b.tags[at], b.by[at] = tags[from+i], byPattern
			if tags[from+i] != Outside {
				b.having[tags[from+i]] = append(b.having[tags[from+i]], int32(at))
			}
			row := b.cells[at*columns : (at+1)*columns]
			for a := range p.attributes {
				row[a] = p.ids[a][b.keys[i*len(p.attributes)+a]]
			}
			if p.pattern {
				row[columns-1] = p.ids[columns-1][features.Key(tags[from+i])]
			}
			at++
		}
		at = b.edge(at, columns)
	}
}

// edge lays out the padding between two sentences and returns the place after it.
func (b *batch) edge(at, columns int) int {
	for range maxOffset {
		b.tags[at] = edge
		for c := range columns {
			b.cells[at*columns+c] = beyond
		}
		at++
	}
	return at
}

// apply runs the rules, one after the other, each over all tokens at once.
func (p *program) apply(ctx context.Context, b *batch) error {
	p.collect(b)
	if err := ctx.Err(); err != nil {
		return err
	}
	slices.Sort(b.hits)
	hits := b.hits
	for i := range p.rules {
		r := &p.rules[i]
		b.changed = b.changed[:0]
		switch {
		case r.driver != Outside:
			p.try(r, b, b.having[r.driver], r.driverOffset)
		case r.roams:
			p.try(r, b, b.place, 0)
		}
		for ; len(hits) > 0 && hits[0]>>32 == uint64(i); hits = hits[1:] {
			at := int32(uint32(hits[0]))
			if b.tags[at] == r.from && r.sees(b.tags, at) {
				b.changed = append(b.changed, at)
			}
		}
		for _, at := range b.changed {
			b.tags[at], b.by[at] = r.to, int32(i)
		}
		if len(b.changed) > 0 && r.to != Outside {
			b.having[r.to] = append(b.having[r.to], b.changed...)
		}
	}
	return ctx.Err()
}

// try records the places, at offset from the given ones, at which a rule changes the tag.
func (p *program) try(r *compiled, b *batch, places []int32, offset int32) {
	for _, at := range places {
		if at -= offset; b.tags[at] == r.from && r.sees(b.tags, at) && p.fits(r, b.cells, at) {
			b.changed = append(b.changed, at)
		}
	}
}

// collect finds, for rules with a key, the places that match their attributes, which do not
// change.
func (p *program) collect(b *batch) {
	columns := p.columns()
	for _, at := range b.place {
		row := b.cells[int(at)*columns : (int(at)+1)*columns]
		for c, v := range row {
			if v < firstValue {
				continue
			}
			for _, f := range p.index[c][v] {
				p.hit(b, f.rule, at-f.offset)
			}
		}
	}
}

// hit records a rule's match at a place, if there is one.
func (p *program) hit(b *batch, rule, at int32) {
	if b.tags[at] != edge && p.fits(&p.rules[rule], b.cells, at) {
		b.hits = append(b.hits, uint64(rule)<<32|uint64(at))
	}
}

// fits reports whether the attributes around a place are as a rule requires.
func (p *program) fits(r *compiled, cells []valueID, at int32) bool {
	columns := int32(p.columns())
	for _, x := range r.plain {
		if cells[(at+x.offset)*columns+x.column] != x.value {
			return false
		}
	}
	return true
}

// sees reports whether the neighbours have the tags that a rule requires.
func (r *compiled) sees(tags []Tag, at int32) bool {
	for _, x := range r.tags {
		if valueID(tags[at+x.offset]) != x.value {
			return false
		}
	}
	return true
}
