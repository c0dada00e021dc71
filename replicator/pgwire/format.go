package pgwire

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	textFormat   int16 = 0
	binaryFormat int16 = 1
)

// decodedSize is what decode may allocate for a parameter, by its length and, of an array,
// the number of elements that it claims to have.
func decodedSize(raw []byte, format int16, oid uint32) int64 {
	const arrayHeader = 20 // of one dimension: its size is the first field behind dimensions, flags and type
	size := int64(datumBytes + len(raw))
	if format == binaryFormat && elementOf[oid] != 0 && len(raw) >= arrayHeader {
		claimed := int64(binary.BigEndian.Uint32(raw[12:]))
		size += datumBytes * min(claimed, int64(len(raw)-arrayHeader)/4) // each has a length at least
	}
	return size
}

// decode reads a parameter. What it returns does not share raw's memory.
func decode(raw []byte, format int16, oid uint32) (datum, *failure) {
	switch {
	case raw == nil:
		return datum{null: true}, nil
	case format == textFormat:
		return decodeText(raw)
	case format != binaryFormat:
		return datum{}, failf(stateProtocol, "unsupported format code")
	case elementOf[oid] != 0:
		return decodeArray(raw, elementOf[oid])
	}
	return decodeBinary(raw, oid)
}

func decodeText(raw []byte) (datum, *failure) {
	if !utf8.Valid(raw) {
		return datum{}, failf(stateBadEncoding, "a value is not valid UTF-8").hinted("set client_encoding to UTF8")
	}
	s := string(raw)
	if strings.IndexByte(s, 0) >= 0 {
		return datum{}, failf(stateBadEncoding, "a value holds a NUL byte")
	}
	return textDatum(s), nil
}

var errBinary = failf(stateBadBinary, "incorrect binary data format in a bind parameter")

func decodeBinary(raw []byte, oid uint32) (datum, *failure) {
	if size := typeSize(oid); size > 0 && oid != oidName && len(raw) != int(size) {
		return datum{}, errBinary
	}
	switch oid {
	case oidBool:
		return boolDatum(raw[0] != 0), nil
	case oidInt2:
		return intDatum(int(int16(binary.BigEndian.Uint16(raw)))), nil //nolint:gosec // two's complement
	case oidInt4:
		return intDatum(int(int32(binary.BigEndian.Uint32(raw)))), nil //nolint:gosec // two's complement
	case oidOID, oidRegclass:
		return intDatum(binary.BigEndian.Uint32(raw)), nil
	case oidInt8:
		return intDatum(int64(binary.BigEndian.Uint64(raw))), nil //nolint:gosec // two's complement
	case oidFloat4:
		f := math.Float32frombits(binary.BigEndian.Uint32(raw))
		return textDatum(strconv.FormatFloat(float64(f), 'g', -1, 32)), nil
	case oidFloat8:
		return textDatum(strconv.FormatFloat(math.Float64frombits(binary.BigEndian.Uint64(raw)), 'g', -1, 64)), nil
	case oidUUID:
		h := hex.EncodeToString(raw)
		return textDatum(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]), nil
	case oidText, oidVarchar, oidBPChar, oidName, oidUnknown, 0:
		return decodeText(raw)
	}
	return datum{}, failf(stateUnsupported, "parameters of this type are not supported in binary format").
		hinted("send it as text, or cast it: $1::text")
}

// decodeArray reads an array of one dimension (PostgreSQL, array_send).
func decodeArray(raw []byte, element uint32) (datum, *failure) {
	if len(raw) < 12 {
		return datum{}, errBinary
	}
	dims := binary.BigEndian.Uint32(raw)
	if dims == 0 {
		return listDatum([]datum{}), nil
	}
	if dims != 1 {
		return datum{}, failf(stateArrayMismatch, "arrays of more than one dimension are not supported")
	}
	if sent := binary.BigEndian.Uint32(raw[8:]); sent != 0 {
		element = sent
	}
	if raw = raw[12:]; len(raw) < 8 {
		return datum{}, errBinary
	}
	n := int64(binary.BigEndian.Uint32(raw))
	raw = raw[8:]
	if n*4 > int64(len(raw)) { // each element has a length at least
		return datum{}, errBinary
	}
	list := make([]datum, n)
	for i := range list {
		if len(raw) < 4 {
			return datum{}, errBinary
		}
		size := int64(int32(binary.BigEndian.Uint32(raw))) //nolint:gosec // -1 is NULL
		raw = raw[4:]
		if size == -1 {
			list[i] = datum{null: true}
			continue
		}
		if size < 0 || size > int64(len(raw)) {
			return datum{}, errBinary
		}
		d, err := decodeBinary(raw[:size], element)
		if err != nil {
			return datum{}, err
		}
		list[i], raw = d, raw[size:]
	}
	if len(raw) != 0 {
		return datum{}, errBinary
	}
	return listDatum(list), nil
}

// encode writes a value in the format that the client asked for; nil is NULL.
func encode(d datum, oid uint32, format int16) ([]byte, *failure) {
	switch {
	case d.null:
		return nil, nil
	case format == binaryFormat && d.isList:
		return encodeArray(d.list, elementOf[oid])
	case format == binaryFormat:
		return appendBinary(make([]byte, 0, len(d.text)), d.text, oid)
	}
	return []byte(d.string()), nil
}

var errResult = failf(stateInternal, "a value does not fit the type of its column")

func appendBinary(dst []byte, s string, oid uint32) ([]byte, *failure) {
	switch oid {
	case oidBool:
		if s == "t" {
			return append(dst, 1), nil
		}
		return append(dst, 0), nil
	case oidInt2, oidInt4, oidInt8, oidOID, oidRegclass:
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return nil, errResult
		}
		switch typeSize(oid) {
		case 2:
			return binary.BigEndian.AppendUint16(dst, uint16(n)), nil //nolint:gosec // two's complement
		case 4:
			return binary.BigEndian.AppendUint32(dst, uint32(n)), nil //nolint:gosec // two's complement
		}
		return binary.BigEndian.AppendUint64(dst, uint64(n)), nil //nolint:gosec // two's complement
	case oidFloat8:
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return nil, errResult
		}
		return binary.BigEndian.AppendUint64(dst, math.Float64bits(f)), nil
	case oidText, oidVarchar, oidBPChar, oidName, oidChar, oidUnknown:
		return append(dst, s...), nil
	}
	return nil, failf(stateUnsupported, "results of this type are not supported in binary format").hinted("ask for text format")
}

func encodeArray(list []datum, element uint32) ([]byte, *failure) {
	hasNull := uint32(0)
	size := 20
	for _, d := range list {
		if size += 4 + len(d.text); d.null {
			hasNull = 1
		}
	}
	dst := make([]byte, 0, size)
	dims := uint32(1)
	if len(list) == 0 {
		dims = 0
	}
	dst = binary.BigEndian.AppendUint32(dst, dims)
	dst = binary.BigEndian.AppendUint32(dst, hasNull)
	dst = binary.BigEndian.AppendUint32(dst, element)
	if dims == 0 {
		return dst, nil
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(list))) //nolint:gosec // bounded by the size of messages
	dst = binary.BigEndian.AppendUint32(dst, 1)
	for _, d := range list {
		if d.null {
			dst = binary.BigEndian.AppendUint32(dst, math.MaxUint32)
			continue
		}
		at := len(dst)
		var err *failure
		if dst, err = appendBinary(append(dst, 0, 0, 0, 0), d.text, element); err != nil {
			return nil, err
		}
		binary.BigEndian.PutUint32(dst[at:], uint32(len(dst)-at-4)) //nolint:gosec // bounded by the size of messages
	}
	return dst, nil
}
