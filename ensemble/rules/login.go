package rules

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// login finds the short name of letters and digits under which somebody signed:
// "Signed DF14", "username: jsmith9".
func (s *scan) login(i int) int {
	j := i + 1
	colon := false
	for s.c(j) == ':' || s.isWord(j, "by") || s.isWord(j, "is") || s.c(j) == '=' {
		colon = colon || s.c(j) == ':' || s.c(j) == '='
		j++
	}
	if !s.wordAt(j) || !s.sameLine(j) {
		return 0
	}
	end := s.runEnd(j)
	for end > j && s.toks[end-1].Kind == text.Punct {
		end--
	}
	short := end == j+2 && s.numAt(j+1) && s.toks[j].Case == text.Upper && len(s.tok(j)) <= 4 && s.marks[j+1].Digits <= 4
	named := colon && s.marks[i].Classes&text.IsDateCue == 0 && (s.isWord(i, "username") || s.isWord(i, "login") ||
		s.isWord(i, "userid") || s.isWord(i, "logon"))
	if !short && !named {
		return 0
	}
	return s.emit(j, end, phi.Username)
}

// signature finds a login after "by": "Authenticated by jsmith24", "karla.baron0".
func (s *scan) signature(j int) int {
	if !s.wordAt(j) || s.toks[j].Case != text.Lower || !s.sameLine(j) {
		return 0
	}
	end := s.trimRun(j, s.runEnd(j))
	for k := j; k < end; k++ {
		if c := s.c(k); c != 0 && c != '.' && c != '_' || s.wordAt(k) && s.toks[k].Case != text.Lower {
			return 0
		}
	}
	if end == j+1 || !s.numAt(end-1) || s.marks[end-1].Digits > 4 || len(s.tok(j)) < 2 {
		return 0
	}
	return s.emit(j, end, phi.Username)
}

// bracketedLogin finds a login that stands alone in parentheses or between bars:
// "(mcp1077)", "| samson.bush2 |".
func (s *scan) bracketedLogin(i int) int {
	if c := s.c(i - 1); c != '(' && c != '|' {
		return 0
	}
	end := s.signature(i)
	if end == 0 {
		return 0
	}
	known, _ := lexicon.Lookup(s.tok(i))
	if c := s.c(end); c != ')' && c != '|' || len(s.tok(i)) < 3 || known.Common > 0 || known.Is(lexicon.Clinical) {
		s.out = s.out[:len(s.out)-1]
		return 0
	}
	return end
}
