package lexicon

import (
	"strings"
	"sync"
)

// foldingTable lists, for each Latin base, the letters that fold to it: Latin-1, Latin Extended-A,
// the Vietnamese letters, and similar Cyrillic and Greek letters.
const foldingTable = `a àáâãäåāăąǎǟǡǻạảấầẩẫậắằẳẵặаα
ae æǽ
b ьβ
c çćĉċčсϲ
d ďđḍḏԁ
dh ð
e èéêëēĕėęěẹẻẽếềểễệеε
f ƒ
g ĝğġģǧǵ
h ĥħḥһη
i ìíîïĩīĭįıǐỉịіι
ij ĳ
j ĵјϳ
k ķĸǩкκ
l ĺļľŀłḷӏ
m ṃмμ
n ñńņňŉŋṇпν
o òóôõöøōŏőǒǫǿọỏốồổỗộớờởỡợơоο
oe œ
p рρ
q ԛ
r ŕŗřṛг
s śŝşšșṣѕ
ss ßẞ
t ţťŧțṭтτ
th þ
u ùúûüũūŭůűųǔǖǘǚǜụủứừửữựưυ
w ŵẁẃẅԝω
x хχ
y ýÿŷỳỵỷỹуγ
z źżžẓζ`

// foldings maps lower-case letters to their folded form.
var foldings = sync.OnceValue(func() map[rune]string {
	m := make(map[rune]string, 300)
	for line := range strings.Lines(foldingTable) {
		to, from, _ := strings.Cut(strings.TrimSpace(line), " ")
		for _, r := range from {
			m[r] = to
		}
	}
	return m
})
