package rtf

import (
	"testing"
)

func TestCodePages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		page   codePage
		in     string
		length int
		want   rune
		ok     bool
	}{
		{1252, "a", 1, 'a', true},
		{1252, "\x80", 1, '€', true},
		{1251, "\xcf", 1, 'П', true},
		{874, "\xa1", 1, 'ก', true},
		{874, "\xff", 1, '\ufffd', false},
		{932, "\xb1", 1, 'ｱ', true},
		{932, "\x83\x5c", 2, 'ソ', true},
		{932, "\x83", 2, '\ufffd', false},
		{936, "\xd6\xd0", 2, '中', true},
		{936, "\x80", 1, '€', true},
		{949, "\xb0\xa1", 2, '가', true},
		{950, "\xa4\xa4", 2, '中', true},
		{utf8Page, "\xe2\x82\xac", 3, '€', true},
		{utf8Page, "\xf0\x9f\x98\x80", 4, '😀', true},
		{utf8Page, "\xc3", 2, '\ufffd', false},
		{utf8Page, "\x82", 1, '\ufffd', false},
		{1361, "\xe9", 1, '\ufffd', false},
	} {
		if n := c.page.length(c.in[0]); n != c.length {
			t.Errorf("%d: %q has %d bytes, want %d", c.page, c.in, n, c.length)
		}
		if r, ok := c.page.decode([]byte(c.in)); r != c.want || ok != c.ok {
			t.Errorf("%d: %q is %q, %v, want %q", c.page, c.in, r, ok, c.want)
		}
	}
	for charset, page := range charsets {
		if !page.known() {
			t.Errorf("character set %d has code page %d, which is not known", charset, page)
		}
	}
	if codePage(1361).known() {
		t.Error("code page 1361 is known")
	}
}

func TestCodePagesReadEveryByte(t *testing.T) {
	t.Parallel()
	pages := []codePage{utf8Page, 1361}
	for _, page := range charsets {
		pages = append(pages, page)
	}
	for _, page := range pages {
		for first := range 256 {
			for second := range 256 {
				in := []byte{byte(first), byte(second)}[:min(2, page.length(byte(first)))]
				r, ok := page.decode(in)
				if ok == (r == '\ufffd') && page != 1361 {
					t.Fatalf("%d: %x is %q, %v", page, in, r, ok)
				}
			}
		}
	}
}
