// Package desk answers questions about single texts while the stream runs, for SQL.
package desk
