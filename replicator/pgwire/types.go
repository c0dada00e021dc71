package pgwire

import "strings"

// OIDs of the types that cross the wire (PostgreSQL, pg_type.dat). A type that
// is not among them travels as text.
const (
	oidBool      uint32 = 16
	oidChar      uint32 = 18
	oidName      uint32 = 19
	oidInt8      uint32 = 20
	oidInt2      uint32 = 21
	oidInt4      uint32 = 23
	oidText      uint32 = 25
	oidOID       uint32 = 26
	oidFloat4    uint32 = 700
	oidFloat8    uint32 = 701
	oidUnknown   uint32 = 705
	oidBPChar    uint32 = 1042
	oidVarchar   uint32 = 1043
	oidTimestamp uint32 = 1184 // with time zone
	oidNumeric   uint32 = 1700
	oidRegclass  uint32 = 2205
	oidUUID      uint32 = 2950

	oidBoolArray    uint32 = 1000
	oidInt2Array    uint32 = 1005
	oidInt4Array    uint32 = 1007
	oidTextArray    uint32 = 1009
	oidBPCharArray  uint32 = 1014
	oidVarcharArray uint32 = 1015
	oidInt8Array    uint32 = 1016
	oidNumericArray uint32 = 1231
	oidUUIDArray    uint32 = 2951
	oidNameArray    uint32 = 1003
	oidOIDArray     uint32 = 1028
)

// typeNames are the names of types as headings show them.
var typeNames = map[uint32]string{
	oidBool: "bool", oidChar: "char", oidName: "name", oidInt8: "int8", oidInt2: "int2", oidInt4: "int4", oidText: "text",
	oidOID: "oid", oidFloat4: "float4", oidFloat8: "float8", oidBPChar: "bpchar", oidVarchar: "varchar", oidNumeric: "numeric",
	oidRegclass: "regclass", oidUUID: "uuid", oidTimestamp: "timestamptz",
	oidBoolArray: "bool", oidInt2Array: "int2", oidInt4Array: "int4", oidTextArray: "text", oidBPCharArray: "bpchar",
	oidVarcharArray: "varchar", oidInt8Array: "int8", oidNumericArray: "numeric", oidUUIDArray: "uuid",
}

// typesByName are the names that casts may use; arrays follow by [].
var typesByName = map[string]uint32{
	"bool": oidBool, "boolean": oidBool, "name": oidName, "int8": oidInt8, "bigint": oidInt8, "int2": oidInt2,
	"smallint": oidInt2, "int4": oidInt4, "int": oidInt4, "integer": oidInt4, "text": oidText, "oid": oidOID,
	"float4": oidFloat4, "real": oidFloat4, "float8": oidFloat8, "double precision": oidFloat8, "bpchar": oidBPChar,
	"char": oidBPChar, "character": oidBPChar, "varchar": oidVarchar, "character varying": oidVarchar, "numeric": oidNumeric,
	"decimal": oidNumeric, "regclass": oidRegclass, "uuid": oidUUID, "unknown": oidUnknown, "citext": oidText,
	"timestamptz": oidTimestamp,
}

// arrayOf maps the types of elements to those of their arrays.
var arrayOf = map[uint32]uint32{
	oidBool: oidBoolArray, oidInt2: oidInt2Array, oidInt4: oidInt4Array, oidInt8: oidInt8Array, oidText: oidTextArray,
	oidBPChar: oidBPCharArray, oidVarchar: oidVarcharArray, oidNumeric: oidNumericArray, oidUUID: oidUUIDArray,
	oidName: oidNameArray, oidOID: oidOIDArray,
}

// elementOf is the inverse of arrayOf.
var elementOf = func() map[uint32]uint32 {
	m := make(map[uint32]uint32, len(arrayOf))
	for element, array := range arrayOf {
		m[array] = element
	}
	return m
}()

// isText reports whether values of a type are texts.
func isText(oid uint32) bool {
	switch oid {
	case oidText, oidVarchar, oidBPChar, oidName, oidUnknown:
		return true
	}
	return false
}

func typeOf(name string) (uint32, bool) {
	typ, ok := typesByName[name]
	return typ, ok
}

// typeSize is what RowDescription says of a type's length: -1 for those that vary.
func typeSize(oid uint32) int16 {
	switch oid {
	case oidBool:
		return 1
	case oidInt2:
		return 2
	case oidInt4, oidOID, oidRegclass, oidFloat4:
		return 4
	case oidInt8, oidFloat8, oidTimestamp:
		return 8
	case oidUUID:
		return 16
	case oidName:
		return 64
	default:
		return -1
	}
}

// typeName reads the name of a type in a cast.
func (p *parser) typeName() (uint32, *failure) {
	first, err := p.name()
	if err != nil {
		return 0, err
	}
	if first.text == "pg_catalog" && p.accept(".") {
		if first, err = p.name(); err != nil {
			return 0, err
		}
	} else if p.accept(".") { // of another schema, such as an extension's
		if first, err = p.name(); err != nil {
			return 0, err
		}
	}
	name := first.text
	switch {
	case name == "double" && p.accept("precision"):
		name = "double precision"
	case name == "character" && p.accept("varying"):
		name = "character varying"
	case strings.HasPrefix(name, "timestamp"):
		p.accept("with", "time", "zone")
		p.accept("without", "time", "zone")
	}
	if err := p.typeLength(); err != nil {
		return 0, err
	}
	typ, ok := typeOf(name)
	if !ok {
		typ = oidText
	}
	for p.accept("[") {
		if p.peek().kind == numberToken {
			p.at++
		}
		if err := p.expect("]"); err != nil {
			return 0, err
		}
		if array := arrayOf[typ]; array != 0 {
			typ = array
		} else if elementOf[typ] == 0 {
			typ = oidTextArray
		}
	}
	return typ, nil
}

// typeLength passes a length, "(10,2)".
func (p *parser) typeLength() *failure {
	if !p.accept("(") {
		return nil
	}
	for {
		if t := p.next(); t.kind != numberToken {
			return p.unexpected(t)
		}
		if !p.accept(",") {
			return p.expect(")")
		}
	}
}
