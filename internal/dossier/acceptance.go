package dossier

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review/report"
	"github.com/pgdeid/pgdeid/internal/risk"
	"github.com/pgdeid/pgdeid/internal/signature"
)

// maxReport bounds the size of a report that is read.
const maxReport = 16 << 20

// readReport reads a file of JSON that has a report; want is a key that it must have.
func readReport(path, want string, into any) (sum string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxReport {
		return "", errors.New("it is no report")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil || len(keys[want]) == 0 {
		return "", errors.New("it is no such report in JSON")
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(into); err != nil {
		return "", errors.New("it is no such report in JSON, or of another version")
	}
	hash := sha256.Sum256(data)
	return hex.EncodeToString(hash[:]), nil
}

// ReadAcceptance reads an acceptance report, and checks its signature where a public key is named.
func ReadAcceptance(path, publicKey string) (*Acceptance, error) {
	op := "read acceptance report " + path
	const hint = "name the JSON file of 'pgdeid review report --output'"
	a := &Acceptance{Report: &report.Report{}}
	var err error
	if a.SHA256, err = readReport(path, "verdicts", a.Report); err != nil {
		return nil, fault.New(op, err, hint)
	}
	if publicKey == "" {
		return a, nil
	}
	key, err := signature.ReadPublicKey(publicKey)
	if err != nil {
		return nil, fault.New("read public key "+publicKey, err, "")
	}
	if err := key.VerifyFile(path); err != nil {
		return nil, fault.New(op, err, "get the report, its signature and the key from who signed it")
	}
	a.Signer = key.Fingerprint()
	return a, nil
}

// ReadRisk reads a report of "pgdeid risk --json", which has to be of the mapping.
func ReadRisk(path, mapping string) (*risk.Report, error) {
	op := "read risk report " + path
	r := &risk.Report{}
	if _, err := readReport(path, "class_sizes", r); err != nil {
		return nil, fault.New(op, err, "name a file of 'pgdeid risk --json'")
	}
	if r.Mapping != mapping {
		return nil, fault.New(op, fmt.Errorf("it is of another mapping (%.12s) than this one (%.12s)", r.Mapping, mapping), "run 'pgdeid risk' again")
	}
	return r, nil
}
