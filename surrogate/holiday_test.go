package surrogate

import "testing"

// Movable holidays of years for which the calendars of their countries are known.
func TestMovableHolidays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		want civil
	}{
		{"easter", civil{2024, 3, 31}},
		{"easter", civil{2025, 4, 20}},
		{"easter", civil{2011, 4, 24}},
		{"easter", civil{1961, 4, 2}},
		{"good friday", civil{2024, 3, 29}},
		{"thanksgiving", civil{2023, 11, 23}},
		{"thanksgiving", civil{2019, 11, 28}},
		{"black friday", civil{2023, 11, 24}},
		{"memorial day", civil{2024, 5, 27}},
		{"labor day", civil{2024, 9, 2}},
		{"mlk day", civil{2024, 1, 15}},
		{"presidents day", civil{2024, 2, 19}},
		{"mothers day", civil{2024, 5, 12}},
		{"fathers day", civil{2024, 6, 16}},
		{"columbus day", civil{2024, 10, 14}},
		{"christmas eve", civil{2024, 12, 24}},
	} {
		h := holidays[tt.name]
		if h == nil {
			t.Errorf("%s is no holiday", tt.name)
			continue
		}
		if got := h(tt.want.year); got != tt.want {
			t.Errorf("%s of %d: %v, want %v", tt.name, tt.want.year, got, tt.want)
		}
	}
}
