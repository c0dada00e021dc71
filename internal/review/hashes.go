package review

import (
	"strings"

	"github.com/pgdeid/pgdeid/surrogate"
)

// Hashes makes the keyed hashes that stand for texts in what people decide.
type Hashes struct{ Key *surrogate.Key }

// hashBytes is how much of a keyed hash is kept.
const hashBytes = 16

// Text returns the hash of a text that was read.
func (h Hashes) Text(text string) []byte { return h.Key.HMAC("review text", text)[:hashBytes] }

// Words returns the hash of words of a patient's note.
func (h Hashes) Words(patient, words string) []byte {
	return h.Key.HMAC("review words", patient, strings.ToLower(strings.Join(strings.Fields(words), " ")))[:hashBytes]
}

// Sketch returns the hash of words for a sketch of a sentence.
func (h Hashes) Sketch(words string) []byte { return h.Key.HMAC("review sketch", words)[:8] }

// Sentence returns the hash of a sentence of a cluster.
func (h Hashes) Sentence(sentence string) []byte { return h.Sketch("sentence " + sentence) }

// Note returns the hash that names a text of the source: of a column, and of the note's primary key there.
func (h Hashes) Note(table, column string, key []string) []byte {
	return h.Key.HMAC("review note", append([]string{table, column}, key...)...)[:hashBytes]
}
