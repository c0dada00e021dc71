package config

import (
	"net"
	"strconv"
	"strings"
	"time"
)

// text returns a setter of a string.
func text(dst *string) func(node) {
	return func(n node) {
		if s, ok := n.scalar(); ok {
			*dst = s
		}
	}
}

// integer returns a setter of a whole number from 1 to high.
func integer(dst *int, high int) func(node) {
	return func(n node) {
		s, ok := n.scalar()
		if !ok {
			return
		}
		v, err := strconv.Atoi(s)
		if err != nil || v < 1 || v > high {
			n.fail("want a whole number from 1 to %d", high)
			return
		}
		*dst = v
	}
}

// duration returns a setter of a duration within bounds.
func duration(dst *time.Duration, low, high time.Duration) func(node) {
	return func(n node) {
		s, ok := n.scalar()
		if !ok {
			return
		}
		d, err := time.ParseDuration(s)
		if err != nil || d < low || d > high {
			n.fail("want a duration with its unit, such as 10s, from %v to %v", low, high)
			return
		}
		*dst = d
	}
}

// boolean returns a setter of true or false.
func boolean(dst *bool) func(node) {
	return func(n node) {
		switch s, ok := n.scalar(); {
		case !ok:
		case s == "true":
			*dst = true
		case s == "false":
			*dst = false
		default:
			n.fail("want true or false")
		}
	}
}

// oneOf returns a setter of a word out of a list; what is the kind of thing.
func oneOf[S ~string](what string, dst *S, words ...S) func(node) {
	return func(n node) {
		s, ok := n.scalar()
		if !ok {
			return
		}
		for _, w := range words {
			if s == string(w) {
				*dst = w
				return
			}
		}
		n.fail("unknown %s %q (one of %s)", what, short(s), list(words))
	}
}

// bytesOf returns a setter of a number of bytes: "64MiB", "1048576".
func bytesOf(dst *int64, low, high int64) func(node) {
	return func(n node) {
		s, ok := n.scalar()
		if !ok {
			return
		}
		v, err := parseBytes(s)
		if err != nil || v < low || v > high {
			n.fail("want a number of bytes such as 64MiB, from %d to %d", low, high)
			return
		}
		*dst = v
	}
}

func parseBytes(s string) (int64, error) {
	factor := int64(1)
	for _, unit := range []struct {
		suffix string
		bytes  int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}} {
		if number, ok := strings.CutSuffix(s, unit.suffix); ok {
			s, factor = strings.TrimSpace(number), unit.bytes
			break
		}
	}
	v, err := strconv.ParseInt(s, 10, 64)
	if err == nil && v > (1<<62)/factor {
		err = strconv.ErrRange
	}
	return v * factor, err
}

// texts returns a setter of a list of strings without repetition.
func texts(dst *[]string) func(node) {
	return func(n node) {
		var list []string
		seen := map[string]bool{}
		for _, item := range n.items() {
			s, ok := item.scalar()
			if ok && seen[s] {
				item.fail("%q stands in the list twice", short(s))
			} else if ok {
				seen[s] = true
				list = append(list, s)
			}
		}
		*dst = list
	}
}

func list[S ~string](words []S) string {
	ss := make([]string, len(words))
	for i, w := range words {
		ss[i] = string(w)
	}
	return strings.Join(ss, ", ")
}

// short cuts a word of the file that a message quotes: what is longer than any
// word expected there may be something that was pasted by mistake.
func short(s string) string {
	if r := []rune(s); len(r) > 24 {
		return string(r[:8]) + "…"
	}
	return s
}

// address returns a setter of host:port, or of nothing.
func address(dst *string) func(node) {
	return func(n node) {
		s, ok := n.scalar()
		if !ok {
			return
		}
		if _, port, err := net.SplitHostPort(s); s != "" && (err != nil || port == "") {
			n.fail("want host:port, such as 127.0.0.1:9187, or \"\" for none")
			return
		}
		*dst = s
	}
}
