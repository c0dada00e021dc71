package connect

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgtype"
)

func TestArraysAreWrittenAsPgxDoes(t *testing.T) {
	t.Parallel()
	text, empty := "Grüße", ""
	for i, value := range []any{
		[]string{"a", "", "Grüße"},
		[]string{},
		[]string(nil),
		[]*string{&text, nil, &empty},
		[]*string{&text},
		[]*string{nil},
		[]*string{},
		[]*string(nil),
		[][]byte{{0, 1, 2}, nil, {}},
		[][]byte{{7}},
		[][]byte{},
		[][]byte(nil),
	} {
		t.Run(fmt.Sprintf("%d %T", i, value), func(t *testing.T) {
			t.Parallel()
			own, pgx := pgtype.NewMap(), pgtype.NewMap()
			writeArrays(own)
			oid := uint32(pgtype.TextArrayOID)
			if _, ok := value.([][]byte); ok {
				oid = pgtype.ByteaArrayOID
			}
			for _, format := range []int16{pgtype.BinaryFormatCode, pgtype.TextFormatCode} {
				want, err := pgx.Encode(oid, format, value, []byte("before"))
				if err != nil {
					t.Fatal(err)
				}
				got, err := own.Encode(oid, format, value, []byte("before"))
				if err != nil || !bytes.Equal(got, want) || (got == nil) != (want == nil) {
					t.Errorf("in format %d: %x, %v, want %x", format, got, err, want)
				}
			}
			if own.FormatCodeForOID(oid) != pgtype.BinaryFormatCode {
				t.Error("arrays are not written in binary")
			}
		})
	}
}
