// Package array reads and writes arrays as PostgreSQL does (section "Array Input and Output Syntax" of its manual), such as
// {a,"b c",NULL,{d,e}}, maybe with bounds before it, as in [0:1]={a,b}. Each element is a document of its own.
package array
