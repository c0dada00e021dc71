package ensemble

import "github.com/pgdeid/pgdeid/ensemble/phi"

// floor finds "Southwest Building, 4th floor".
func (f *placeFinder) floor(i int) {
	if !f.number(i-2) || !f.glued(i-1) || !f.follows(i) || len(f.str(i-1)) != 2 {
		return
	}
	start := f.buildingBefore(i - 2)
	f.add(start, i+1, phi.LocationOther)
}

// room finds "Room 7A", "bed 847", "Suite 210" and the building before it.
func (f *placeFinder) room(i int) {
	if f.tokens[i].Start < f.doneAt() {
		return
	}
	first := i + 1
	for f.is(first, cueRoom) && f.follows(first) { // "bed Isolette 12"
		first++
	}
	end := f.roomNumber(first)
	if end == first || f.equal(i, "building") && f.inLower(i) {
		return
	}
	if f.equal(i, "bed") && f.inLower(i) && f.is(end, cueDuration) {
		return
	}
	f.add(f.buildingBefore(i), end, phi.LocationOther)
}

// buildingBefore returns where "Southwest Building" begins before a room, or i.
func (f *placeFinder) buildingBefore(i int) int {
	j := i
	if !f.equal(j, "building") && !f.equal(j, "bldg") {
		j--
	}
	if f.punct(j, ',') {
		j--
	}
	if !f.equal(j, "building") && !f.equal(j, "bldg") && !f.equal(j, "pavilion") && !f.equal(j, "tower") && !f.equal(j, "wing") && !f.equal(j, "unit") || !f.title(j) {
		return i
	}
	for f.title(j-1) && f.follows(j) && !f.stops(j-1) {
		j--
	}
	return j
}

func (f *placeFinder) doneAt() int {
	if len(f.spans) == 0 {
		return 0
	}
	return f.spans[len(f.spans)-1].End
}

// roomNumber reads "7A", "#12", "B-204" at token i.
func (f *placeFinder) roomNumber(i int) int {
	j := i
	if f.punct(j, '#') {
		j++
	}
	if f.letter(j) && (f.number(j+1) && f.glued(j+1) || f.punct(j+1, '-') && f.number(j+2) && f.glued(j+2)) && f.follows(j) {
		j++
		if f.punct(j, '-') {
			j++
		}
	}
	if !f.number(j) || !f.follows(j) || len(f.str(j)) > 5 {
		return i
	}
	j++
	if f.glued(j) && (f.punct(j, '/') || f.punct(j, '.') || f.punct(j, '%') || f.punct(j, ':')) && f.glued(j+1) && f.number(j+1) {
		return i
	}
	if f.punct(j, '-') && f.glued(j) && f.glued(j+1) && f.number(j+1) { // "bed 4-30"
		return j + 2
	}
	if f.glued(j) && f.word(j) {
		if len(f.str(j)) > 1 {
			return i
		}
		j++
	}
	return j
}
