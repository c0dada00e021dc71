package synth

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

func digits(rng *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + rng.IntN(10))
	}
	if b[0] == '0' {
		b[0] = byte('1' + rng.IntN(9))
	}
	return string(b)
}

// phone returns ten digits: "(612) 385-0143" and other layouts come when it is written.
func phone(rng *rand.Rand) string {
	return fmt.Sprintf("%d%02d-%d%02d-%04d", 2+rng.IntN(8), rng.IntN(100), 2+rng.IntN(8), rng.IntN(100), rng.IntN(10000))
}

// mrn returns a record number that is unique for i.
func mrn(rng *rand.Rand, i int) string {
	n := fmt.Sprintf("%02d%05d", 10+rng.IntN(80), (i*7919)%100_000)
	switch rng.IntN(5) {
	case 0:
		return n[:3] + "-" + n[3:5] + "-" + n[5:]
	case 1:
		return "E" + n
	case 2:
		return n[:1] + "-" + n[1:4] + "-" + n[4:]
	default:
		return n
	}
}

func plate(rng *rand.Rand) string {
	letters := func(n int) string {
		s := ""
		for range n {
			s += string(rune('A' + rng.IntN(26)))
		}
		return s
	}
	switch rng.IntN(3) {
	case 0:
		return letters(3) + " " + digits(rng, 4)
	case 1:
		return digits(rng, 1) + letters(3) + digits(rng, 3)
	default:
		return letters(3) + "-" + digits(rng, 3)
	}
}

func serial(rng *rand.Rand) string {
	switch rng.IntN(4) {
	case 0:
		return digits(rng, 7)
	case 1:
		return either(rng, "PZN", "BLK", "GTR", "SN", "RVH") + digits(rng, 6) + either(rng, "S", "H", "")
	case 2:
		return digits(rng, 2) + "-" + digits(rng, 4) + "-" + either(rng, "A", "K", "X7")
	default:
		return digits(rng, 5) + "-" + either(rng, "EF", "AB", "QX")
	}
}

// vin returns 17 characters without I, O and Q, as vehicle numbers are.
func vin(rng *rand.Rand) string {
	const set = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"
	b := []byte("1FHXC")
	for len(b) < 11 {
		b = append(b, set[rng.IntN(len(set))])
	}
	return string(b) + digits(rng, 6)
}

func insurance(rng *rand.Rand) Insurance {
	return Insurance{
		Payer: either(rng, "Northfield Health", "Blue Prairie PPO", "Medicare", "Medicaid", "Tri-County HMO", "Lakeland Advantage", "Union Mutual Care"),
		Member: either(rng,
			strings.ToUpper(either(rng, "xqz", "wbf", "nhp", "lkm"))+digits(rng, 9), digits(rng, 3)+"-"+digits(rng, 2)+"-"+digits(rng, 4)+"A",
			"1"+either(rng, "EG4", "AH7", "QT2")+"-TE"+digits(rng, 1)+"-MK"+digits(rng, 2), digits(rng, 10)),
		GroupNo: digits(rng, 6),
	}
}

func email(rng *rand.Rand, n Name) string {
	first, last := asciiLower(n.First), asciiLower(n.Last)
	user := either(rng, first+"."+last, first[:1]+last, last+digits(rng, 2), first+"_"+last+digits(rng, 1), first+digits(rng, 4))
	return user + "@" + either(rng, "example.com", "example.net", "mail.example.org", "webpost.example", "families.example.com")
}
