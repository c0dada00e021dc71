package patient

import (
	"slices"
	"testing"
)

func TestOwnersOfAValue(t *testing.T) {
	t.Parallel()
	found := map[string][]string{}
	for _, row := range [][2]string{{"7", "1"}, {"7", "1"}, {"8", "1"}, {"8", "2"}, {"8", "1"}} {
		addOwner(found, row[0], row[1])
	}
	if !slices.Equal(found["7"], []string{"1"}) || !slices.Equal(found["8"], []string{"1", "2"}) {
		t.Errorf("owners %v", found)
	}
}
