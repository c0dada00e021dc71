package document

import (
	"bytes"
)

// claimWithin is how far the begin of a document is looked at.
const claimWithin = 16 << 10

// beginsXML reports whether a document begins with a declaration of XML.
func beginsXML(data []byte) bool {
	data, err := fromUTF16(data)
	if err != nil {
		return false
	}
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	return hasPrefix(data, "<?xml") && len(data) > len("<?xml") && isSpace(data[len("<?xml")])
}

// beginsCDA reports whether the root element of a document is that of a clinical document.
func beginsCDA(data []byte) bool {
	b := newBuilder(data)
	if err := xmlDocument(b); err != nil {
		return false
	}
	scanner := xmlScanner{data: b.input, at: b.at}
	for scanner.at < claimWithin {
		t, err := scanner.next()
		if err != nil || t.kind == xmlEOF {
			return false
		}
		if t.kind == xmlStart {
			_, local := splitName(t.name)
			return local == "ClinicalDocument"
		}
	}
	return false
}
