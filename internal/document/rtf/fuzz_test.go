package rtf

import (
	"testing"
)

func FuzzRTF(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed), uint64(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		format.Verify(t, data, seed)
	})
}

// seeds are documents with each part of the syntax.
var seeds = []string{
	`{\rtf1\ansi Jane Poe\par}`,
	`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0 Times New Roman{\*\falt Times};}{\f1\fswiss\fcharset204 Praxis Ost;}}` +
		`{\colortbl;\red0\green0\blue255;}{\stylesheet{\ql Normal;}{\s1\b heading 1;}{\*\cs10 \additive Dr. Poe;}}\f0 Jos\'e9 \f1\'cf\'f0\par}`,
	`{\rtf1{\field{\*\fldinst HYPERLINK "mailto:x@example.org"}{\fldrslt{\ul mail}}} {\header Top}\b J\b0 ane{\footnote \chftn note}}`,
	`{\rtf1\uc1 \u233?\u-10179?\u-8704?\uc0\u233 x\u233y\uc2\u12354\'82\'a0 \u233 ab\uc1\u233{\b c}\u233\par d}`,
	`{\rtf1{\fonttbl\f0\fnil\fcharset128 MS Mincho;\f1\fmodern Courier;}\f0\'82\'a0\'82A\'82\b x\'82{\*\x y}z}`,
	`{\rtf1{\info{\author Poe}}{\pict\bin3 }}}}{\*\unknown a{b}}{\v hidden}\v h\v0 s{\listtext\f3\'b7\tab}one\line two}`,
	`{\rtf1\trowd\cellx100\intbl a\cell b\cell\row\pard{\shp{\*\shpinst\shpleft1{\sp{\sn a}{\sv b}}{\shptxt box\par}}{\shprslt old}}c}`,
	"{\\rtf1 a\r\nb\\\nc\\~d\\_e\\-f\\{g\\}h\\\\i\x00j\tk\\emdash l\\emdash\\'e9m\xe9n\xc3\xa9}\n",
	`{\rtf1\ansicpg65001 \'c3\'a9\'e2\'82\'ac\'e2\'82x{a\fldrslt b}{a\pict b}{a\*\x b}{a\shp b{\shptxt c}}}`,
}
