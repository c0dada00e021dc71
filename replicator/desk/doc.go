// Package desk answers questions about single texts beside the stream, for SQL.
package desk
