package date

import (
	"testing"
)

// Movable holidays of years for which the calendars of their countries are known.
func TestMovableHolidays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		want Civil
	}{
		{"easter", Civil{2024, 3, 31}},
		{"easter", Civil{2025, 4, 20}},
		{"easter", Civil{2011, 4, 24}},
		{"easter", Civil{1961, 4, 2}},
		{"good friday", Civil{2024, 3, 29}},
		{"thanksgiving", Civil{2023, 11, 23}},
		{"thanksgiving", Civil{2019, 11, 28}},
		{"black friday", Civil{2023, 11, 24}},
		{"memorial day", Civil{2024, 5, 27}},
		{"labor day", Civil{2024, 9, 2}},
		{"ash wednesday", Civil{2024, 2, 14}},
		{"mlk day", Civil{2024, 1, 15}},
		{"presidents day", Civil{2024, 2, 19}},
		{"mothers day", Civil{2024, 5, 12}},
		{"fathers day", Civil{2024, 6, 16}},
		{"columbus day", Civil{2024, 10, 14}},
		{"christmas eve", Civil{2024, 12, 24}},
	} {
		h := holidays[tt.name]
		if h == nil {
			t.Errorf("%s is no holiday", tt.name)
			continue
		}
		if got := h(tt.want.Year); got != tt.want {
			t.Errorf("%s of %d: %v, want %v", tt.name, tt.want.Year, got, tt.want)
		}
	}
}
