package config

import (
	"net"
	"strconv"

	"github.com/pgdeid/pgdeid/internal/certificate"
)

// Workers are other machines whose cores run the neural networks, and how they and this one know each other. The zero value:
// there are none.
type Workers struct {
	Addresses   []string // host:port of each; none on a worker itself
	Certificate certificate.Mutual
}

// read reads the workers' addresses and files.
func (w *Workers) read(n node) {
	c := &w.Certificate
	n.setters(map[string]func(node){
		"addresses":        texts(&w.Addresses),
		"certificate_file": text(&c.CertFile),
		"private_key_file": text(&c.KeyFile),
		"authority_file":   text(&c.AuthorityFile),
	})
	if c.CertFile == "" || c.KeyFile == "" || c.AuthorityFile == "" {
		n.fail("certificate_file, private_key_file and authority_file are needed: words of notes travel to workers, and no others may read or answer them")
	}
	seen := map[string]bool{}
	for _, address := range w.Addresses {
		host, port, err := net.SplitHostPort(address)
		number, _ := strconv.ParseUint(port, 10, 16) // 0 is none
		switch {
		case err != nil || host == "" || number == 0:
			n.fail("addresses: want host:port, such as detect-1.example.org:9190")
		case seen[address]:
			n.fail("addresses: %s is there twice", address)
		}
		seen[address] = true
	}
}
