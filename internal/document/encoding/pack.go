package encoding

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"

	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// decodeGzip unpacks one or more members. What their headers hold is no part of the document, and is gone.
func decodeGzip(data []byte) ([]byte, encoder, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, nil, &syntax.Error{Reason: "no gzip header"}
	}
	decoded, err := unpack(r, len(data))
	return decoded, gzipped{}, err
}

func decodeZlib(data []byte) ([]byte, encoder, error) {
	rest := bytes.NewReader(data)
	r, err := zlib.NewReader(rest)
	if err != nil {
		return nil, nil, &syntax.Error{Reason: "no zlib header"}
	}
	decoded, err := unpack(r, len(data))
	if err == nil && rest.Len() > 0 {
		err = errBehind
	}
	return decoded, zlibbed{}, err
}

// unpack reads what packed bytes unfold to, within limits.
func unpack(r io.Reader, packed int) ([]byte, error) {
	limit, tooMuch := limitOf(packed)
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(r, limit+1))
	switch {
	case n > limit:
		return nil, tooMuch
	case err != nil:
		return nil, &syntax.Error{Offset: packed, Reason: "packed data that is broken or cut off"}
	}
	return out.Bytes(), nil
}

// limitOf returns how many bytes a packed document may unfold to, and why it is refused with more.
func limitOf(packed int) (int64, error) {
	limit := max(int64(packed)*maxRatio, freeRatio)
	if limit > maxDecoded {
		return maxDecoded, errTooLarge
	}
	return limit, errBomb
}

type gzipped struct{}

func (gzipped) encode(data []byte) ([]byte, error) {
	var out bytes.Buffer
	return pack(gzip.NewWriter(&out), &out, data)
}

type zlibbed struct{}

func (zlibbed) encode(data []byte) ([]byte, error) {
	var out bytes.Buffer
	return pack(zlib.NewWriter(&out), &out, data)
}

func pack(w io.WriteCloser, out *bytes.Buffer, data []byte) ([]byte, error) {
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
