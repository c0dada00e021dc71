// Package signature signs reports, so that whoever has the signer's public key can check that a report was not changed.
// Signatures are Ed25519 (RFC 8032), in a file beside the report; keys are PEM files (PKCS #8, and PKIX for the public
// one), which openssl reads as well:
//
//	openssl pkeyutl -verify -pubin -inkey board.pub -rawin -in report.json -sigfile report.json.sig
package signature

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Key signs. It prints itself redacted.
type Key struct {
	phi.Redacted
	private ed25519.PrivateKey
}

// Suffixes of what is written beside a key and beside what it signs.
const (
	PublicSuffix    = ".pub"
	SignatureSuffix = ".sig"
)

const (
	privateBlock = "PRIVATE KEY"
	publicBlock  = "PUBLIC KEY"
	maxFile      = 4096 // bytes of a key file or a signature
)

// NewKeyFile makes a key: the secret one at path, readable for its owner alone, and the public one beside it. It never
// overwrites a file.
func NewKeyFile(path string) error {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return fmt.Errorf("make a signing key: %w", err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return fmt.Errorf("make a signing key: %w", err)
	}
	open, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return fmt.Errorf("make a signing key: %w", err)
	}
	if err := writeNew(path, pem.EncodeToMemory(&pem.Block{Type: privateBlock, Bytes: secret}), 0o600); err != nil {
		return err
	}
	if err := writeNew(path+PublicSuffix, pem.EncodeToMemory(&pem.Block{Type: publicBlock, Bytes: open}), 0o644); err != nil {
		return errors.Join(err, os.Remove(path)) // a secret key alone would only puzzle
	}
	return nil
}

func writeNew(path string, data []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already and is not overwritten: choose another path", path)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// ReadKey reads a secret key. It refuses a file that others can read.
func ReadKey(path string) (Key, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Key{}, fmt.Errorf("signing key %s does not exist: make one with 'pgdeid key signing %s'", path, path)
	}
	if err != nil {
		return Key{}, fmt.Errorf("read the signing key: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return Key{}, fmt.Errorf("signing key %s can be read or written by others (mode %04o): run 'chmod 600 %s'", path, info.Mode().Perm(), path)
	}
	der, err := readPEM(path, privateBlock)
	if err != nil {
		return Key{}, err
	}
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	private, ok := parsed.(ed25519.PrivateKey)
	if err != nil || !ok {
		return Key{}, fmt.Errorf("%s is no Ed25519 key: name one made by 'pgdeid key signing'", path)
	}
	return Key{private: private}, nil
}

// PublicKey checks signatures.
type PublicKey struct{ public ed25519.PublicKey }

// ReadPublicKey reads a public key.
func ReadPublicKey(path string) (PublicKey, error) {
	der, err := readPEM(path, publicBlock)
	if err != nil {
		return PublicKey{}, err
	}
	parsed, err := x509.ParsePKIXPublicKey(der)
	public, ok := parsed.(ed25519.PublicKey)
	if err != nil || !ok {
		return PublicKey{}, fmt.Errorf("%s is no public Ed25519 key: name the .pub file of the signer's key", path)
	}
	return PublicKey{public}, nil
}

// readPEM reads the one block of a file. Its errors quote nothing of it.
func readPEM(path, kind string) ([]byte, error) {
	data, err := readSmall(path)
	if err != nil {
		return nil, err
	}
	block, rest := pem.Decode(data)
	if block == nil || block.Type != kind || len(rest) > 0 {
		return nil, fmt.Errorf("%s is no PEM file with one %s", path, kind)
	}
	return block.Bytes, nil
}

func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fmt.Errorf("%s is no key and no signature", path)
	}
	return os.ReadFile(path)
}

// Public returns the key that checks what k signs.
func (k Key) Public() PublicKey { return PublicKey{k.private.Public().(ed25519.PublicKey)} }

// Fingerprint returns 32 hexadecimal digits of the key's SHA-256, to compare over the telephone.
func (p PublicKey) Fingerprint() string {
	sum := sha256.Sum256(p.public)
	return hex.EncodeToString(sum[:16])
}

// SignFile writes the signature of a file beside it, over a former one.
func (k Key) SignFile(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path+SignatureSuffix, ed25519.Sign(k.private, data), 0o600)
}

// ErrChanged means that a file is not what was signed with the key.
var ErrChanged = errors.New("it is not what was signed with this key")

// VerifyFile returns an error unless the signature beside a file is the key's and of this very file. It
// wraps [ErrChanged] where it is not.
func (p PublicKey) VerifyFile(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	sum, err := readSmall(path + SignatureSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s has no signature: %s%s is missing", path, path, SignatureSuffix)
	}
	if err != nil {
		return err
	}
	if !ed25519.Verify(p.public, data, sum) {
		return fmt.Errorf("%s: %w", path, ErrChanged)
	}
	return nil
}
