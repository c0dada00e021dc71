package net_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/net"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
)

func TestCases(t *testing.T) {
	t.Parallel()
	rulestest.Cases(t, net.Find)
}

func TestRepeats(t *testing.T) {
	t.Parallel()
	rulestest.Repeats(t, net.Find, "mail a.b@example.com from 192.168.1.20")
}

func FuzzFind(f *testing.F) {
	rulestest.Fuzz(f, net.Find, phi.Email, phi.URL, phi.IPAddr, phi.Device)
}
