package document

import (
	"mime"
	"strings"

	"github.com/pgdeid/pgdeid/internal/document/encoding"
	"github.com/pgdeid/pgdeid/internal/document/wordlist"
)

// MediaType is the format of documents below a path that the member contentType beside them names, as in attachments of FHIR.
const MediaType Format = "media_type"

// mediaTypes are the media types of documents that are read.
var mediaTypes = map[string]Format{
	"text/plain":                  Auto,
	"text/html":                   HTML,
	"application/xhtml+xml":       HTML,
	"text/rtf":                    RTF,
	"application/rtf":             RTF,
	"text/xml":                    XML,
	"application/xml":             XML,
	"application/fhir+xml":        XML,
	"application/hl7-cda+xml":     CDA,
	"application/cda+xml":         CDA,
	"application/json":            JSON,
	"application/fhir+json":       JSON,
	"application/hl7-v2":          HL7,
	"application/edi-hl7v2":       HL7,
	"x-application/hl7-v2+er7":    HL7,
	"application/hl7-v2+er7":      HL7,
	"application/x-hl7":           HL7,
	"text/markdown":               Plain,
	"text/x-markdown":             Plain,
	"text/csv":                    Plain,
	"text/tab-separated-values":   Plain,
	"application/x-ndjson":        Plain,
	"text/vnd.hl7.fhir.narrative": HTML,
}

// mediaCharsets are the encodings of character sets that need one.
var mediaCharsets = map[string]encoding.Encoding{
	"iso-8859-1": encoding.Latin1, "latin1": encoding.Latin1, "windows-1252": encoding.Windows, "cp1252": encoding.Windows, "utf-16": encoding.UTF16,
}

// otherMediaTypes are the media types of documents that are not read.
var otherMediaTypes = wordlist.Set(strings.Fields(`application/pdf application/dicom application/zip application/gzip application/octet-stream application/msword
	application/vnd.openxmlformats-officedocument.wordprocessingml.document image/png image/jpeg image/gif image/tiff image/bmp image/svg+xml
	image/webp audio/mpeg audio/wav audio/mp4 audio/ogg video/mp4 video/mpeg`))

// KnownMediaType reports whether a media type is one of documents. It is written with its character set alone: names of files
// are among the other parameters.
func KnownMediaType(mediaType string, _ func(string) string) (string, bool) {
	name, parameters, err := mime.ParseMediaType(mediaType)
	if _, read := mediaTypes[name]; err != nil || !read && !otherMediaTypes[name] {
		return "", false
	}
	if charset := strings.ToLower(parameters["charset"]); charset == "utf-8" || mediaCharsets[charset] != "" {
		name += ";charset=" + charset
	}
	return name, true
}

// mediaFormat returns the format and the character set of documents of a media type: Auto where none is said; false for what is
// not read.
func mediaFormat(mediaType string) (format Format, charset encoding.Encoding, ok bool) {
	if strings.TrimSpace(mediaType) == "" {
		return Auto, "", true
	}
	name, parameters, err := mime.ParseMediaType(mediaType)
	if err != nil {
		return "", "", false
	}
	format, ok = mediaTypes[name]
	return format, mediaCharsets[strings.ToLower(parameters["charset"])], ok
}
