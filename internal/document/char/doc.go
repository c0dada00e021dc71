// Package char knows the characters that several formats treat alike.
package char
