package connect

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/jackc/pgx/v5/pgtype"
)

// writeArrays has a connection with types m write long arrays of texts and of bytes in one piece. pgx's own codec appends value by
// value to a buffer that does not know how long the array is: of a group of notes most time went into moving what was there.
func writeArrays(m *pgtype.Map) {
	for _, array := range []uint32{pgtype.TextArrayOID, pgtype.ByteaArrayOID} {
		t, _ := m.TypeForOID(array) // every map has these
		own := t.Codec.(*pgtype.ArrayCodec)
		m.RegisterType(&pgtype.Type{Name: t.Name, OID: t.OID, Codec: arrayCodec{own}})
	}
}

// arrayCodec is pgx's, but for how slices that are known are written in binary.
type arrayCodec struct{ *pgtype.ArrayCodec }

// PlanEncode implements [pgtype.Codec].
func (c arrayCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if format == pgtype.BinaryFormatCode {
		switch value.(type) {
		case []string, []*string, [][]byte:
			return arrayPlan{element: c.ElementType.OID}
		}
	}
	return c.ArrayCodec.PlanEncode(m, oid, format, value)
}

type arrayPlan struct{ element uint32 }

// Encode implements [pgtype.EncodePlan].
func (p arrayPlan) Encode(value any, buf []byte) ([]byte, error) {
	switch list := value.(type) {
	case []string:
		return appendArray(buf, p.element, list, func(s *string) (string, bool) { return *s, true }), nil
	case []*string:
		return appendArray(buf, p.element, list, func(s **string) (text string, ok bool) {
			if *s != nil {
				return **s, true
			}
			return "", false
		}), nil
	default:
		return appendArray(buf, p.element, value.([][]byte), func(b *[]byte) ([]byte, bool) { return *b, *b != nil }), nil
	}
}

// appendArray appends a list in PostgreSQL's binary form of an array of one dimension. get returns an element, or
// false where that is NULL.
func appendArray[E any, B string | []byte](buf []byte, oid uint32, list []E, get func(*E) (B, bool)) []byte {
	const header, length = 20, 4
	size, nulls := header+length*len(list), uint32(0)
	for i := range list {
		b, ok := get(&list[i])
		size += len(b)
		if !ok {
			nulls = 1
		}
	}
	buf = slices.Grow(buf, size)
	put := func(numbers ...uint32) {
		for _, n := range numbers {
			buf = binary.BigEndian.AppendUint32(buf, n)
		}
	}
	put(1, nulls, oid, uint32(len(list)), 1) //nolint:gosec // no list is longer than the server takes
	for i := range list {
		b, ok := get(&list[i])
		if !ok {
			put(math.MaxUint32)
			continue
		}
		put(uint32(len(b))) //nolint:gosec // nor is a value
		buf = append(buf, b...)
	}
	return buf
}
