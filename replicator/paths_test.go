package replicator

import "testing"

func TestOwnersOfAValue(t *testing.T) {
	found := map[string]owner{}
	addOwner(found, "7", "1")
	addOwner(found, "7", "1")
	addOwner(found, "8", "1")
	addOwner(found, "8", "2")
	addOwner(found, "8", "1")
	if found["7"] != (owner{key: "1"}) {
		t.Errorf("rows that agree: %+v", found["7"])
	}
	if found["8"] != (owner{several: true}) {
		t.Errorf("rows that do not agree: %+v", found["8"])
	}
}
