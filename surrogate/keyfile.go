package surrogate

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// A key file is a header and two lines:
//
//	# pgdeid key, format 1 …
//	epoch: 1
//	key: <32 bytes in base64>
const (
	keyHeader = "# pgdeid key, format 1"
	keyAdvice = ": keep it secret and keep a copy; who has it can undo pseudonyms, and no other key fits the replica made with it"
	// maxKeyFile limits how much is read of a file that may not be a key file.
	maxKeyFile = 4096
)

// NewKeyFile creates a key file of 32 random bytes with mode 0600, of epoch 1. It never overwrites a file, as
// a lost key cannot be recovered.
func NewKeyFile(path string) error { return newKeyFile(path, 1) }

// NextKeyFile creates the key file of the epoch after old's, as [NewKeyFile] does.
func NextKeyFile(path string, old *Key) error { return newKeyFile(path, old.epoch+1) }

func newKeyFile(path string, epoch int) error {
	var secret [keySize]byte
	if _, err := rand.Read(secret[:]); err != nil {
		return fmt.Errorf("make a key: %w", err)
	}
	text := fmt.Sprintf("%s%s\nepoch: %d\nkey: %s\n", keyHeader, keyAdvice, epoch, base64.StdEncoding.EncodeToString(secret[:]))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already and is not overwritten: choose another path, or move it to a safe place first", path)
	}
	if err != nil {
		return fmt.Errorf("make the key file: %w", err)
	}
	if err := writeDurably(f, text); err != nil {
		// Otherwise the half-written key file would be noticed only when it is needed.
		return errors.Join(fmt.Errorf("write the key file: %w", err), os.Remove(path))
	}
	return syncDir(filepath.Dir(path))
}

func writeDurably(f *os.File, text string) error {
	_, err := f.WriteString(text)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncDir makes the directory entry of a new file durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync the key file's folder: %w", err)
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return fmt.Errorf("sync the key file's folder: %w", err)
	}
	return nil
}

// ReadKey reads a key file. It refuses a file that users other than its owner can read or write, but for
// a group that may read one of root's; the error says what to do.
func ReadKey(path string) (*Key, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("key file %s does not exist: make one with 'pgdeid key new %s', or give the path of yours", path, path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the key file: %w", err)
	}
	if err := checkKeyFile(path, info); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the key file: %w", err)
	}
	defer f.Close()
	// Checked again after opening, as the path may point to another file by now.
	if info, err = f.Stat(); err != nil {
		return nil, fmt.Errorf("read the key file: %w", err)
	}
	if err := checkKeyFile(path, info); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxKeyFile))
	if err != nil {
		return nil, fmt.Errorf("read the key file: %w", err)
	}
	k, err := parseKey(data)
	if err != nil {
		return nil, fmt.Errorf("key file %s: %w", path, err)
	}
	return k, nil
}

func checkKeyFile(path string, info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("key file %s is not a regular file: give the path of a file made by 'pgdeid key new'", path)
	case tooOpen(info.Mode().Perm(), ownedByRoot(info)):
		return fmt.Errorf("key file %s can be read or written by others (mode %04o): run 'chmod 600 %s'", path, info.Mode().Perm(), path)
	case info.Size() >= maxKeyFile:
		return fmt.Errorf("key file %s has %d bytes, too many for a key: give the path of a file made by 'pgdeid key new'", path, info.Size())
	}
	return nil
}

// tooOpen reports whether others can use a file. As with passwords, a group may read a
// file of root's: systemd's credentials and Kubernetes' secrets are handed over so.
func tooOpen(mode fs.FileMode, ofRoot bool) bool {
	if ofRoot {
		mode &^= 0o040
	}
	return mode&0o077 != 0
}

func ownedByRoot(info fs.FileInfo) bool {
	owner, known := info.Sys().(*syscall.Stat_t)
	return known && owner.Uid == 0
}

// parseKey parses the text of a key file. Its errors never quote the text.
func parseKey(data []byte) (*Key, error) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), keyHeader) {
		return nil, fmt.Errorf("the first line is not %q: it is no key file, or one of a later version", keyHeader)
	}
	epoch, secret := 0, []byte(nil)
	for n := 2; lines.Scan(); n++ {
		name, value, found := strings.Cut(strings.TrimSpace(lines.Text()), ":")
		value = strings.TrimSpace(value)
		var err error
		switch {
		case name == "" || strings.HasPrefix(name, "#"):
		case found && name == "epoch" && epoch == 0:
			if epoch, err = strconv.Atoi(value); err != nil || epoch < 1 {
				return nil, fmt.Errorf("line %d: the epoch is not a number from 1 up: restore the file from your copy", n)
			}
		case found && name == "key" && secret == nil:
			if secret, err = base64.StdEncoding.DecodeString(value); err != nil {
				return nil, fmt.Errorf("line %d: the key is not base64: restore the file from your copy", n)
			}
		default:
			return nil, fmt.Errorf("line %d is none of a key file: restore the file from your copy", n)
		}
	}
	if epoch == 0 || secret == nil {
		return nil, errors.New("a line 'epoch:' or 'key:' is missing: restore the file from your copy")
	}
	if len(secret) != keySize || bytes.Count(secret, []byte{0}) == len(secret) {
		return nil, fmt.Errorf("the key is not %d random bytes (it has %d): restore the file from your copy", keySize, len(secret))
	}
	return newKey(secret, epoch)
}
