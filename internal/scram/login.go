package scram

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
)

// Login is the server's side of one login.
type Login struct {
	v         *Verifier
	nonce     string // of both sides
	firstBare string // the client's first message, without its header
	first     string // the server's first message
	gs2       string // the client's header
}

// Why a login fails.
var (
	ErrMalformed = errors.New("malformed SCRAM message")
	ErrBinding   = errors.New("the client asks for channel binding, which is not offered")
	ErrPassword  = errors.New("the password does not fit")
)

// NewLogin begins the login of a user.
func NewLogin(v *Verifier) *Login { return &Login{v: v} }

// Start reads the client's first message and returns the server's.
func (s *Login) Start(message []byte) (string, error) { return s.start(trimZero(message), rand.Text()) }

func (s *Login) start(message string, nonce string) (string, error) {
	flag, rest, ok := strings.Cut(message, ",")
	switch {
	case !ok:
		return "", ErrMalformed
	case strings.HasPrefix(flag, "p"):
		return "", ErrBinding
	case flag != "n" && flag != "y":
		return "", ErrMalformed
	}
	authzid, bare, ok := strings.Cut(rest, ",")
	if !ok || authzid != "" { // acting as another user is not supported
		return "", ErrMalformed
	}
	s.gs2 = flag + ",,"
	// The name in the message is not looked at: that of the startup message counts, as in
	// PostgreSQL.
	user, bareRest, ok := strings.Cut(bare, ",")
	if !ok || !strings.HasPrefix(user, "n=") {
		return "", ErrMalformed
	}
	theirs, _, _ := strings.Cut(bareRest, ",")
	theirs, ok = strings.CutPrefix(theirs, "r=")
	if !ok || theirs == "" || !printable(theirs) {
		return "", ErrMalformed
	}
	s.firstBare, s.nonce = bare, theirs+nonce
	s.first = "r=" + s.nonce + ",s=" + base64.StdEncoding.EncodeToString(s.v.salt) + ",i=" + strconv.Itoa(s.v.shape.Iterations)
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

// Finish reads the client's last message and returns the server's, if the password fits.
func (s *Login) Finish(data []byte) (string, error) {
	message := trimZero(data)
	i := strings.LastIndex(message, ",p=")
	if i < 0 {
		return "", ErrMalformed
	}
	withoutProof := message[:i]
	proof, err := base64.StdEncoding.DecodeString(message[i+len(",p="):])
	if err != nil || len(proof) != sha256.Size {
		return "", ErrMalformed
	}
	binding, rest, _ := strings.Cut(withoutProof, ",")
	nonce, _, _ := strings.Cut(rest, ",")
	if binding != "c="+base64.StdEncoding.EncodeToString([]byte(s.gs2)) || nonce != "r="+s.nonce {
		return "", ErrMalformed
	}
	auth := s.firstBare + "," + s.first + "," + withoutProof
	signature := sum(s.v.stored, auth)
	key := make([]byte, sha256.Size)
	subtle.XORBytes(key, proof, signature)
	stored := sha256.Sum256(key)
	if subtle.ConstantTimeCompare(stored[:], s.v.stored) != 1 || s.v.mock {
		return "", ErrPassword
	}
	return "v=" + base64.StdEncoding.EncodeToString(sum(s.v.serverKey, auth)), nil
}

// trimZero drops the NUL bytes that some drivers send after a message.
func trimZero(b []byte) string { return string(bytes.TrimRight(b, "\x00")) }
