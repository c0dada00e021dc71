package hl7

import (
	"testing"
)

func FuzzHL7(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed), uint64(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		format.Verify(t, data, seed)
	})
}

// seeds are messages with each part of the syntax.
var seeds = []string{
	"MSH|^~\\&|LAB|Ward 7|EHR||20260102030405||ORU^R01^ORU_R01|MSG1|P|2.5.1\rPID|1||4711^^^H^MR||POE^JANE||19610203|F\r" +
		"OBR|1|A1|B2|24331-1^Lipid panel^LN|||20260102\rOBX|1|NM|2093-3^Cholesterol^LN||212|mg/dL|<200|H|||F\r" +
		"OBX|2|TX|11502-2^Report^LN||Seen by Dr. Poe\\.br\\H\\T\\P done\rOBX|3|TX|11502-2^Report^LN||second line~third|\rZPI|1|Poe\r",
	"\vMSH|^~\\&#|A|B\nNTE|1|L|a \\F\\ \\S\\ \\T\\ \\R\\ \\E\\ \\P\\ \\X4A616E65\\ \\X0D0A\\ \\H\\b\\N\\ \\.sp2\\ \\.in+4\\ \\Z01\\ \\q\n" +
		"continued C:\\temp|x\n\x1c\r",
	"MSH|^~\\&|\rPID|1\ncontinued|x",
	"FHS|^~\\&|x\r\nBHS|^~\\&|y\r\nMSH|^~\\&|z\r\nOBX||ED|a||x^text^plain^Base64^UG9l\r\nOBX||CE|b||C1^Poe^L~C2^^L\r\nOBX||SN|c||^<^100\r\n" +
		"OBX||CWE|||A^b^L~C^d^LN^E^f^x\r\nOBX||||||\r\nBTS|1\r\nFTS|1\r\n",
	"MSH$^~\\&$x\rOBX$1$TX$a^b$$c|d\\F\\\rTXA$1$$$$$$$$$$$$$$$$$$$$$$$$Title\r",
}
