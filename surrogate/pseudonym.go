package surrogate

import (
	"encoding/base32"
	"encoding/hex"
	"strconv"
	"strings"
)

// firstRange is the end of the range of integers that an int4 column can hold.
const firstRange = 1 << 31

// PseudonymInt permutes integers within a domain ("patient", "encounter"), one to one. Values of
// [0, 2^31) stay in that range, so that the same value in an int4 and an int8 column joins; so do
// those of [2^31, 2^63). A negative v is mapped as ^v in a permutation of its own and stays
// negative. An int4 therefore stays an int4, but an int2 column needs a wider type.
func (k *Key) PseudonymInt(domain string, v int64) int64 {
	if v < 0 {
		return ^k.permuteInt("pseudonym/negative/"+domain, ^v)
	}
	return k.permuteInt("pseudonym/"+domain, v)
}

func (k *Key) permuteInt(purpose string, v int64) int64 {
	p := k.permutation(purpose)
	if v < firstRange {
		return int64(p.at(0, firstRange, uint64(v)))
	}
	// The rest is one domain, counted from its start.
	return int64(p.at(1, 1<<63-firstRange, uint64(v)-firstRange)) + firstRange
}

func (k *Key) permutation(purpose string) *permutation {
	if v, ok := k.subkeys.Load("perm/" + purpose); ok {
		return v.(*permutation)
	}
	// A 32-byte sub-key is always a valid AES key.
	p, _ := newPermutation(k.subkey(purpose))
	v, _ := k.subkeys.LoadOrStore("perm/"+purpose, p)
	return v.(*permutation)
}

// pseudonymAlphabet leaves out i, l, o and u, to be unambiguous when read aloud.
var pseudonymAlphabet = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// PseudonymText returns the pseudonym of a text value: 26 lower-case letters and digits that carry
// 130 bits of a keyed hash, enough to exclude collisions in practice.
func (k *Key) PseudonymText(domain, v string) string {
	return pseudonymAlphabet.EncodeToString(k.HMAC("pseudonym", domain, v)[:17])[:26]
}

// PseudonymUUID returns the pseudonym of a UUID as a UUID of version 8 (RFC 9562),
// which carries 122 bits of a keyed hash.
func (k *Key) PseudonymUUID(domain string, v [16]byte) [16]byte {
	var u [16]byte
	copy(u[:], k.HMAC("pseudonym/uuid", domain, string(v[:])))
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	return u
}

// PatientPseudonym returns the pseudonym, as text, of a patient key whose column type is unknown:
// what a replica shows for an integer key if it is written as an integer, for a UUID if it is one,
// otherwise for a text key.
func (k *Key) PatientPseudonym(patient string) string {
	if n, err := strconv.ParseInt(patient, 10, 64); err == nil && strconv.FormatInt(n, 10) == patient {
		return strconv.FormatInt(k.PseudonymInt("patient", n), 10)
	}
	if id, err := hex.DecodeString(strings.ReplaceAll(patient, "-", "")); err == nil && len(id) == 16 && len(patient) == 36 {
		id := k.PseudonymUUID("patient", [16]byte(id))
		h := hex.EncodeToString(id[:])
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	}
	return k.PseudonymText("patient", patient)
}
