// Package metrics counts what a process does, for Prometheus.
package metrics
