package ensemble

import (
	"slices"
	"strings"
)

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
