package document

// Encoding names how a document is wrapped where it is stored; a chain is written "base64+gzip", outermost first.
type Encoding string

// Encodings.
const (
	None   Encoding = "none"
	Base64 Encoding = "base64"
	Gzip   Encoding = "gzip"
	Hex    Encoding = "hex"
)
