package command

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Plural counts things: "1 note", "2 notes".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// JoinClose closes c, and returns err or, without one, what went wrong in that.
func JoinClose(err error, c io.Closer) error {
	if closeErr := c.Close(); err == nil {
		return closeErr
	}
	return err
}

// List joins words with commas.
func List[S ~string](words []S) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = string(w)
	}
	return strings.Join(texts, ", ")
}

// PrintJSON prints v as JSON, indented.
func PrintJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Size formats a number of bytes.
func Size(n int64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	value, exp := float64(n)/unit, 0
	for value >= unit && exp < 4 {
		value /= unit
		exp++
	}
	return fmt.Sprintf("%.1f %ciB", value, "KMGTP"[exp])
}
