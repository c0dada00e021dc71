// Package schema is the mapping as the catalogues of source and replica make it concrete: tables and
// columns, the rows that move through them, and the SQL that reads and writes these.
package schema
