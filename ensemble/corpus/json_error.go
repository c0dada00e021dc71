package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// JSONError returns an error of encoding/json without what it may quote of the input: the
// position and the kinds of values remain. Errors of reading are returned as they are.
func JSONError(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not valid JSON at byte %d", syntax.Offset)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("want an object, not %s", kindName(kind.Value))
	case errors.As(err, &kind):
		return fmt.Errorf("field %q: want a %s, not %s", kind.Field, kind.Type.Kind(), kindName(kind.Value))
	case strings.HasPrefix(err.Error(), "json: "):
		return errors.New("not valid JSON")
	}
	return err
}

// kindName returns the first word of a JSON value's description: "number 42" quotes the value.
func kindName(value string) string {
	kind, _, _ := strings.Cut(value, " ")
	if kind == "array" || kind == "object" {
		return "an " + kind
	}
	return "a " + kind
}
