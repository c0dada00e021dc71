package ensemble

import (
	"slices"
	"strings"
)

// phrases are names of things and organisms that are made of two words, each of which
// people are called by, too.
var phrases = [...][2]string{
	{"braxton", "hicks"},
	{"west", "nile"},
	{"humphrey", "fields"},
	{"humphrey", "field"},
	{"private", "insurance"},
	{"rocky", "mountain"},
	{"norwalk", "virus"},
	{"austin", "flint"},
	{"graham", "steell"},
	{"gram", "stain"},
	{"kaplan", "meier"},
	{"henderson", "hasselbalch"},
	{"mann", "whitney"},
	{"bland", "altman"},
	{"michaelis", "menten"},
	{"hardy", "weinberg"},
	{"frank", "starling"},
	{"stevens", "johnson"},
	{"jackson", "pratt"},
	{"dandy", "walker"},
	{"treacher", "collins"},
	{"russell", "silver"},
	{"ivor", "lewis"},
	{"bair", "hugger"},
	{"stokes", "adams"},
	{"adams", "stokes"},
	{"cheyne", "stokes"},
	{"kelly", "clamp"},
	{"prader", "willi"},
	{"mallory", "weiss"},
	{"epstein", "barr"},
	{"wolff", "parkinson"},
	{"budd", "chiari"},
	{"arnold", "chiari"},
	{"ehlers", "danlos"},
	{"cockcroft", "gault"},
	{"lennox", "gastaut"},
	{"osgood", "schlatter"},
	{"salter", "harris"},
	{"garden", "grade"},
	{"southern", "blot"},
	{"western", "blot"},
	{"northern", "blot"},
	{"roux", "y"},
	{"marcus", "gunn"},
	{"austin", "moore"},
	{"vaughan", "williams"},
	{"fisher", "paykel"},
	{"earl", "grey"},
	{"grey", "turner"},
	{"ramsay", "hunt"},
	{"carey", "coombs"},
	{"miller", "fisher"},
	{"charles", "bonnet"},
	{"holt", "oram"},
	{"bence", "jones"},
	{"argyll", "robertson"},
	{"lloyd", "davies"},
	{"lambert", "eaton"},
	{"paul", "bunnell"},
	{"weil", "felix"},
	{"hailey", "hailey"},
	{"ziehl", "neelsen"},
	{"swan", "ganz"},
	{"army", "navy"},
	{"putti", "platt"},
	{"blalock", "taussig"},
	{"simpson", "angus"},
	{"wong", "baker"},
	{"harris", "benedict"},
	{"christmas", "disease"},
	{"christmas", "factor"},
	{"christmas", "tree"},
	{"central", "supply"},
}

// phrase reports whether the words [from, to) are one of [phrases], or a part of one
// that stands there whole.
func (v *vocabulary) phrase(from, to int) bool {
	is := func(i int) bool {
		next := i + 1
		if v.punct(next, '-') {
			next++
		}
		return slices.ContainsFunc(phrases[:], func(p [2]string) bool { return v.equal(i, p[0]) && v.equal(next, p[1]) })
	}
	switch to - from {
	case 3:
		return v.punct(from+1, '-') && is(from)
	case 2:
		return is(from)
	case 1:
		return is(from) || is(from-1) || v.punct(from-1, '-') && is(from-2)
	}
	return false
}

// pet reports whether the words [from, to) are what an animal is called: "has a dog
// named Biscuit". Nobody is found by it, and a patient's record goes first.
func (v *vocabulary) pet(from, to int) bool {
	if to-from > 2 {
		return false
	}
	i := from - 1
	for v.punct(i, ',') || v.punct(i, '"') || v.punct(i, '(') || v.is(i, cueNamed) {
		i--
	}
	return i >= 0 && i < from-1 && slices.Contains(petWords, strings.ToLower(v.str(i)))
}

var petWords = strings.Fields("dog cat puppy kitten beagle labrador lab retriever poodle chihuahua bulldog terrier shepherd dachshund pug yorkie parrot rabbit hamster horse pony bird goat")

// car reports whether the words [from, to) are the make and model that somebody drives
// or was hit by: "drives a Buick".
func (v *vocabulary) car(from, to int) bool {
	if to-from > 3 || !slices.Contains(carMakes, strings.ToLower(v.str(from))) {
		return false
	}
	before := v.is(from-1, cueArticle|cuePossessive) && !v.equal(from-1, "the") && !v.equal(from-1, "s")
	return before && v.drives(from-2)
}

// drives tells the words before a car.
func (v *vocabulary) drives(i int) bool {
	switch strings.ToLower(v.str(i)) {
	case "drives", "drive", "drove", "driving", "driver", "owns", "bought", "of", "by", "in", "into", "with":
		return true
	}
	return false
}

var carMakes = strings.Fields("ford toyota honda chevy chevrolet buick dodge nissan hyundai subaru mazda jeep tesla lincoln cadillac chrysler pontiac saturn volvo audi bmw mercedes lexus acura kia gmc volkswagen mitsubishi oldsmobile infiniti porsche harley")
