package command

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
)

// WhoAmI returns name or, if it is empty, the user name of the operating system.
func WhoAmI(name string) (string, error) {
	if name != "" {
		return name, nil
	}
	u, err := user.Current()
	if err != nil || u.Username == "" {
		return "", UsageError("--reviewer: say who you are")
	}
	return u.Username, nil
}

// RefuseOld returns an error if a file exists that a command without --force would write.
func RefuseOld(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return UsageError("%s exists: choose another name", path)
	}
	return nil
}

// CreateNew makes a file that only its owner can read, unless there is one.
func CreateNew(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		err = RefuseOld(path)
	}
	return file, err
}

// RefuseExisting returns an error if a file exists, so that it is not overwritten by accident.
func RefuseExisting(path string, force bool) error {
	if _, err := os.Lstat(path); err == nil && !force {
		return UsageError("%s exists: choose another name, or say --force", path)
	}
	return nil
}
