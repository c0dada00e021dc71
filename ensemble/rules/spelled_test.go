package rules_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
)

// Dates in words, with the month in Roman numbers, and by the day of the year are one span.
func TestDatesInWords(t *testing.T) {
	t.Parallel()
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		"born the ⟦twentieth of July, nineteen eighty-two|DATE⟧, at home",
		"born ⟦July twentieth 1982|DATE⟧ and ⟦July the twenty-first, nineteen eighty two|DATE⟧",
		"on ⟦July 20th, nineteen eighty-two|DATE⟧; ⟦20 July nineteen oh five|DATE⟧; the ⟦5th of May, two thousand and four|DATE⟧",
		"the ⟦twentieth day of July 1982|DATE⟧, the ⟦fifth of March|DATE⟧",
		"⟦day 79 of 1981|DATE⟧, ⟦day seventy-nine of nineteen eighty-one|DATE⟧, the ⟦79th day of 1981|DATE⟧, the ⟦seventy-ninth day of the year 1981|DATE⟧",
		"geb. ⟦20.III.1982|DATE⟧, ⟦20/III/82|DATE⟧, ⟦20-iii-1982|DATE⟧, ⟦20 III 1982|DATE⟧",
		"day 3 of 10, first of all, second of two, may first try, 5 V 2000 mg, type 20 III, on the twentieth, grade 2.II.3, hospital day two of five",
	})
}
