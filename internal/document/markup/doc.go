// Package markup has what HTML and the formats written in XML share: how elements are shown as lines of text, and how text is
// written between tags.
package markup
