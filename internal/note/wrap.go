package note

import (
	"errors"

	"github.com/pgdeid/pgdeid/internal/document"
)

type wrapping struct{}

func unwrap(e document.Encoding, data []byte) ([]byte, wrapping, error) {
	if e != document.None {
		return nil, wrapping{}, errors.New("encodings are not supported yet")
	}
	return data, wrapping{}, nil
}

// Wrap returns data.
func (wrapping) Wrap(data []byte) ([]byte, error) { return data, nil }
