package number

import "strings"

// drama are the telephone numbers that Ofcom keeps for drama, without their last three digits, by what numbers of the
// same kind begin with: cities, mobile, free of charge, and so on. All are without the trunk prefix 0.
var drama = [...]struct{ like, start string }{
	{"20", "2079460"},
	{"28", "2896496"},
	{"29", "2920180"},
	{"113", "1134960"},
	{"114", "1144960"},
	{"115", "1154960"},
	{"116", "1164960"},
	{"117", "1174960"},
	{"118", "1184960"},
	{"121", "1214960"},
	{"131", "1314960"},
	{"141", "1414960"},
	{"151", "1514960"},
	{"161", "1614960"},
	{"191", "1914980"},
	{"3", "3069990"},
	{"7", "7700900"},
	{"8", "8081570"},
	{"9", "9098790"},
	{"", "1632960"},
}

// British returns what the numbers for drama begin with that are like a British number, given without the trunk prefix.
// Three digits follow.
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
