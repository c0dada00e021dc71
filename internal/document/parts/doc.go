// Package parts holds a document as its parts: the text that a person reads, the markup and layout around it, and what is left
// out. A format hands its input to a [Builder]; the [Document] that comes of it knows which bytes show which text, and is
// written again with other text in its place.
package parts
