package net_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/net"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
)

var types = []phi.Type{phi.Email, phi.URL, phi.IPAddr, phi.Device}

func TestFind(t *testing.T) {
	t.Parallel()
	rulestest.Conform(t, net.Find, "mail a.b@example.com from 192.168.1.20", types...)
}

func FuzzFind(f *testing.F) { rulestest.Fuzz(f, net.Find, types...) }
