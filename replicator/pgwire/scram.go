package pgwire

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
)

// scramMechanism is the one that clients may use. Its variant with channel binding is
// not offered.
const scramMechanism = "SCRAM-SHA-256"

// scram is the server's side of one login (RFC 5802, RFC 7677).
type scram struct {
	v         *Verifier
	nonce     string // of both sides
	firstBare string // the client's first message, without its header
	first     string // the server's first message
	gs2       string // the client's header
}

var (
	errScram    = errors.New("malformed SCRAM message")
	errBinding  = errors.New("the client asks for channel binding, which is not offered")
	errPassword = errors.New("the password does not fit")
)

// start reads the client's first message and returns the server's.
func (s *scram) start(message string, nonce string) (string, error) {
	flag, rest, ok := strings.Cut(message, ",")
	switch {
	case !ok:
		return "", errScram
	case strings.HasPrefix(flag, "p"):
		return "", errBinding
	case flag != "n" && flag != "y":
		return "", errScram
	}
	authzid, bare, ok := strings.Cut(rest, ",")
	if !ok || authzid != "" { // to act as somebody else is not supported
		return "", errScram
	}
	s.gs2 = flag + ",,"
	// The name in the message is not looked at: that of the startup message counts, as in
	// PostgreSQL.
	user, bareRest, ok := strings.Cut(bare, ",")
	if !ok || !strings.HasPrefix(user, "n=") {
		return "", errScram
	}
	theirs, _, _ := strings.Cut(bareRest, ",")
	theirs, ok = strings.CutPrefix(theirs, "r=")
	if !ok || theirs == "" || !printable(theirs) {
		return "", errScram
	}
	s.firstBare, s.nonce = bare, theirs+nonce
	s.first = "r=" + s.nonce + ",s=" + base64.StdEncoding.EncodeToString(s.v.salt) + ",i=" + strconv.Itoa(s.v.iterations)
	return s.first, nil
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < '!' || s[i] > '~' {
			return false
		}
	}
	return true
}

// finish reads the client's last message and returns the server's, if the password
// fits.
func (s *scram) finish(message string) (string, error) {
	i := strings.LastIndex(message, ",p=")
	if i < 0 {
		return "", errScram
	}
	withoutProof := message[:i]
	proof, err := base64.StdEncoding.DecodeString(message[i+len(",p="):])
	if err != nil || len(proof) != sha256.Size {
		return "", errScram
	}
	binding, rest, _ := strings.Cut(withoutProof, ",")
	nonce, _, _ := strings.Cut(rest, ",")
	if binding != "c="+base64.StdEncoding.EncodeToString([]byte(s.gs2)) || nonce != "r="+s.nonce {
		return "", errScram
	}
	auth := s.firstBare + "," + s.first + "," + withoutProof
	signature := macOf(s.v.stored, auth)
	key := make([]byte, sha256.Size)
	subtle.XORBytes(key, proof, signature)
	stored := sha256.Sum256(key)
	if subtle.ConstantTimeCompare(stored[:], s.v.stored) != 1 || s.v.mock {
		return "", errPassword
	}
	return "v=" + base64.StdEncoding.EncodeToString(macOf(s.v.serverKey, auth)), nil
}

func macOf(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// newNonce returns the server's half of a nonce.
func newNonce() string { return rand.Text() }

// trimZero drops what stands after a message in some drivers.
func trimZero(b []byte) string { return string(bytes.TrimRight(b, "\x00")) }
