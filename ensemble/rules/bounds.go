package rules

import "github.com/pgdeid/pgdeid/ensemble/phi"

// bounds returns the tokens [i, end) of a finding less the marks of the sentence around
// it: a full stop behind a number, brackets around all of it. No digit is ever left out;
// what a transcription service puts behind a job's number is taken in.
func (s *scan) bounds(i, end int, t phi.Type) (from, to int) {
	switch t {
	case phi.IDNum:
		return i, s.jobSuffix(end)
	case phi.Phone, phi.Fax, phi.Pager:
		return s.unbracketed(i, s.withoutStop(i, end))
	case phi.Street:
		return i, s.withoutStop(i, end)
	}
	return i, end
}

// withoutStop takes off full stops, commas and the like at the end.
func (s *scan) withoutStop(i, end int) int {
	for end > i+1 {
		switch s.c(end - 1) {
		case '.', ',', ';', ':', '-':
			end--
		default:
			return end
		}
	}
	return end
}

// unbracketed takes off a bracket that is closed or opened elsewhere, and a pair around
// all of the number: "(555) 234-5678" keeps its own.
func (s *scan) unbracketed(i, end int) (from, to int) {
	for s.c(end-1) == ')' && end > i+1 && s.balance(i, end) < 0 {
		end--
	}
	if s.c(i) != '(' || end < i+3 {
		return i, end
	}
	switch s.balance(i, end) {
	case 1:
		return i + 1, end
	case 0:
		if s.c(end-1) == ')' && s.closing(i, end) == end-1 {
			return i + 1, end - 1
		}
	}
	return i, end
}

// closing returns the token that closes the bracket at i, or end.
func (s *scan) closing(i, end int) int {
	for k := i + 1; k < end; k++ {
		if s.balance(i, k+1) == 0 {
			return k
		}
	}
	return end
}

// balance returns how many more brackets open than close in tokens [i, end).
func (s *scan) balance(i, end int) int {
	n := 0
	for k := i; k < end; k++ {
		switch s.c(k) {
		case '(':
			n++
		case ')':
			n--
		}
	}
	return n
}

// jobSuffix takes in the second number of "68912 :6519", as transcription services
// print jobs.
func (s *scan) jobSuffix(end int) int {
	if s.c(end) == ':' && s.sameLine(end) && !s.glued(end) && s.numAt(end-1) && s.marks[end-1].Digits >= 5 && s.numAt(end+1) &&
		s.glued(end+1) && s.marks[end+1].Digits == 4 && s.runEnds(end+2) {
		return end + 2
	}
	return end
}
