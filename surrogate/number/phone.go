package number

import "strings"

// drama are the telephone numbers that Ofcom keeps for drama and that belong to no town, without their last three digits, by what
// numbers of the same kind begin with: mobile, free of charge, and so on. All are without the trunk prefix 0.
var drama = [...]struct{ like, start string }{
	{"3", "3069990"},
	{"7", "7700900"},
	{"8", "8081570"},
	{"9", "9098790"},
}

// British returns what the numbers for drama begin with that are like a British number, given without the trunk prefix; "" for
// numbers with the dialling code of a town. Three digits follow.
func British(national string) string {
	for _, d := range drama {
		if strings.HasPrefix(national, d.like) {
			return d.start
		}
	}
	return ""
}

// Spare are the country codes, without their last digit, that ITU-T E.164 leaves unassigned.
var Spare = []string{"28", "83", "89"}
