// Package schematest has tables and keys for tests.
package schematest
