package record

import "testing"

// What is made of an ordinary word and a name that others bear too is the name of a place; a
// capital, or a name that few people bear, makes it the record's.
func TestCompoundsAreNoLeaks(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{NameFirst: {"Dale"}, NameLast: {"Zorvakian"}})
	for text, leaks := range map[string]bool{
		"12 Farmdale Road": false, "the Springdale clinic": false, "at RIVERDALE": false,
		"seen with wasDale": true, "Dalewas seen": true, "Waszorvakian": true, "dale was seen": true,
	} {
		if got := len(g.Leaks(text)) > 0; got != leaks {
			t.Errorf("%q: %v, want %v", text, got, leaks)
		}
	}
}
