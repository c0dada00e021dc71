package review

// Join returns the marks with which somebody begins who settles what two readers decided differently: those of the first
// reader, and where these have nothing, what the second one calls PHI, as missed.
func Join(a, b []Mark) []Mark {
	out := append([]Mark(nil), a...)
	for _, m := range b {
		if !m.IsPHI() || overlapsOne(&m, out) {
			continue
		}
		m.Found, m.Verdict = nil, Missed
		out = append(out, m)
	}
	Sort(out)
	return out
}

func overlapsOne(m *Mark, list []Mark) bool {
	for i := range list {
		if m.Start < list[i].End && list[i].Start < m.End {
			return true
		}
	}
	return false
}
