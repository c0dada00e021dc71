package json

import (
	"fmt"
	"testing"
)

func TestGaps(t *testing.T) {
	t.Parallel()
	d := format.Reads(t, `{"a": "Ann\nB.", "b": ["", "Lee", 1234567]}`) // Ann, B., Lee and the number, each in a line of its own
	for _, tt := range []struct {
		begin, end int
		want       string
	}{
		{0, len(d.Text()), "[[6 7] [10 11]]"},
		{0, 6, "[]"},
		{0, 7, "[[6 7]]"},
		{6, 7, "[[6 7]]"},
		{7, 10, "[]"},
		{5, 9, "[[6 7]]"},
		{10, 11, "[[10 11]]"},
		{len(d.Text()), len(d.Text()), "[]"},
	} {
		if got := fmt.Sprint(d.Gaps(tt.begin, tt.end)); got != tt.want {
			t.Errorf("%d-%d of %q: got %s, want %s", tt.begin, tt.end, d.Text(), got, tt.want)
		}
	}
}
