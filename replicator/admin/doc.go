// Package admin has what a person asks of a deployment: status, retry, reprocess, release, maintenance, the
// vault, and the notes for harvest.
package admin
