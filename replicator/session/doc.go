// Package session connects to both databases and puts together what works on them.
package session
