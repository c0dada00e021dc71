package ensemble

// Memo returns what compute returned for the same key of the same note, and computes it
// on first use: packages that read a note keep there what several members share. A key is
// a value of a type that its package does not export, so that two packages never meet;
// what the result depends on besides the text is part of it.
//
// As all of a note it belongs to one goroutine at a time.
func Memo[T any](note *Note, key any, compute func() T) T {
	if known, ok := note.memos[key]; ok {
		return known.(T)
	}
	made := compute()
	if note.memos == nil {
		note.memos = map[any]any{}
	}
	note.memos[key] = made
	return made
}
