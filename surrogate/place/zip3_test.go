package place

import (
	"maps"
	"strings"
	"testing"
)

func TestZip3(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"02139": "021", "02139-4307": "021", "021394307": "021", "021": "021", " 94103 ": "941", "": "",
		"03601": "000", "05901": "000", "06390": "000", "10211": "000", "20301": "000", "55601": "000", "69201": "000",
		"79001": "000", "82101": "000", "82301": "000", "83001": "000", "83101": "000", "87801": "000", "87901": "000",
		"20201": "000", "36901": "000", "77201": "000", "09012": "000", "02139 Cambridge": "000",
		"88401": "000", "89001": "000", "89301": "000", "K1A 0B1": "000", "12": "000", "1234": "000", "021390": "000", "abc": "000",
	} {
		if got := Zip3(in); got != want {
			t.Errorf("Zip3(%q) = %q, want %q", in, got, want)
		}
	}
	// Of each list, how many of its prefixes there are.
	counts := map[string]int{}
	for line := range strings.Lines(zip3List) {
		if fields := strings.Fields(line); len(fields) > 1 && smallZip3[fields[0]] {
			for _, source := range fields[1:] {
				counts[source]++
			}
		}
	}
	if want := map[string]int{"2000": 17, "2010": 19, "2020": 18, "mail": 16}; !maps.Equal(counts, want) {
		t.Errorf("prefixes by source: %v, want %v", counts, want)
	}
	if len(Zip3Sources()) != 4 {
		t.Errorf("sources: %q", Zip3Sources())
	}
}
