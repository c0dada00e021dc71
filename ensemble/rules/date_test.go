package rules_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestPatternsDates(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		"CPL dated ⟦4/27/04|DATE⟧",
		"expiration date ⟦2020/10/20|DATE⟧",
		"DOB: ⟦10/07/69|DATE⟧DOB ⟦10-07-1969|DATE⟧, ⟦10.07.1969|DATE⟧, ⟦1969-10-07|DATE⟧",
		"Results⟦02/20/2087|DATE⟧ and ⟦02 / 20 / 2087|DATE⟧",
		"day first ⟦13/07/1970|DATE⟧ and ⟦13.07.70|DATE⟧",
		"DD:⟦05/05/2095|DATE⟧ DT:⟦05/06/2095|DATE⟧",
		"seen ⟦3/5|DATE⟧ and on ⟦3/5|DATE⟧ at ⟦10:30|TIME⟧, since ⟦3/2014|DATE⟧, until ⟦03-2014|DATE⟧",
		"⟦3/14|DATE⟧: afebrile",
		"labs ⟦3/5|DATE⟧-⟦3/7|DATE⟧",
		"from ⟦3/5/14|DATE⟧-⟦3/9/14|DATE⟧",
		"on ⟦March 5th, 2014|DATE⟧ or ⟦5 Mar 2014|DATE⟧ or ⟦11-July-2013|DATE⟧ or ⟦11Jul2013|DATE⟧ or ⟦Jul-11-2013|DATE⟧",
		"⟦Mar '14|DATE⟧, ⟦March of 2014|DATE⟧, ⟦March, 2014|DATE⟧, ⟦Sept. 9, 2010|DATE⟧, ⟦5th of March|DATE⟧",
		"the ⟦5th day of March, 2014|DATE⟧",
		"⟦January 5-7, 2014|DATE⟧; ⟦May 5|DATE⟧ and ⟦JAN 05|DATE⟧",
		"During his ⟦May|DATE⟧ hospitalization",
		"in ⟦May|DATE⟧, last ⟦March|DATE⟧, since ⟦August|DATE⟧, mid-⟦June|DATE⟧, at the end of ⟦April|DATE⟧",
		"diagnosed in ⟦1998|DATE⟧, ⟦2003|DATE⟧ and ⟦2005|DATE⟧",
		"Appendectomy ⟦1995|DATE⟧, CABG (⟦2008|DATE⟧), hysterectomy - ⟦1978|DATE⟧.",
		"since ⟦1998|DATE⟧; from ⟦2010|DATE⟧-⟦2014|DATE⟧",
		"quit smoking in ⟦08|DATE⟧, drinking since ⟦98|DATE⟧.",
		"in the late ⟦60s|DATE⟧ and the ⟦1980s|DATE⟧",
		"return on the ⟦29th|DATE⟧ of this month; by the ⟦3rd|DATE⟧.",
		"before ⟦Christmas|DATE⟧, ⟦Christmas Eve|DATE⟧ or ⟦Labor Day|DATE⟧, ⟦Thanksgiving|DATE⟧, ⟦New Year's Eve|DATE⟧",
		"on ⟦Monday|DATE⟧, ⟦Wed 3/5|DATE⟧, next ⟦Fri|DATE⟧",
		"⟦spring 2011|DATE⟧, the ⟦fall of 2010|DATE⟧, last ⟦summer|DATE⟧, ⟦winter of '09|DATE⟧",
		"recorded ⟦20130718111836-0400|DATE⟧, ⟦20130718|DATE⟧",
		"⟦01/19|DATE⟧:0",
		"visit dated as ⟦3/5|DATE⟧",
		"on ⟦March 12|DATE⟧ in room B, ⟦Jan 5|DATE⟧ in the evening, ⟦3/14|DATE⟧ in clinic, ⟦5 May|DATE⟧ in the ED, ⟦April 3rd|DATE⟧ in town",
		"Comment: ⟦03-12-2005|DATE⟧ ⟦08:04:12|TIME⟧, Sent: ⟦2020-10-20|DATE⟧ ⟦10:00 a.m|TIME⟧",
		"⟦Christmas Day|DATE⟧ ⟦2013|DATE⟧; ⟦07/29/2017|DATE⟧ ⟦1557|TIME⟧; ⟦March 5, 2014|DATE⟧, ⟦2010|DATE⟧",
		"el ⟦12 de marzo de 2014|DATE⟧",
	})
}

func TestPatternsNotDates(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		"takes 5-10 mg, 1/2 tablet, 2 1/2 cups",
		"BP 120/80, pulse 72, pain 5/10, strength 4/5 throughout, 3/5 strength, 2/6 murmur, 1/6 SEM",
		"L4-5, C3-4, T12, L4/5, C5/6, T11/12",
		"GCS 3-4-5, 15/15, Apgars 8/9, score 13/16, vision 20/40",
		"x3 days, #2, pH 7.35, 10 to 12 weeks, 2-3 times, Ortho-Novum 7-7-7",
		"ABG 7.38/67/86, peak 31/14/21 mmHg",
		"platelets 2000, a total of 2000 mL, 1800 ADA diet, 1900 mg",
		"you may 2 tablets; it may be; march out; the 5th toe, the 4th rib, the 2nd digit",
		"in 24 hours, in 2 weeks, HR in the 80s, sats in the high 80s",
		"recorded as 5/5 by the nurse, read as 3/4 full",
		"version 1.2.3, section 4.5.6",
		"3 out of 5, 1 in 10, 5/5 bilaterally, reflexes 2/4, reading 11/14 points",
		"Mucinex, Janumet, Decadron, mon cheri, wed in, sun exposure, O2 sat 98",
		"fell last week, her last fall, spring in her step",
		"Diovan 80/12.5 daily, Lotrel 5/10 daily",
	}, phi.Time)
}

func TestPatternsTimes(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewPatterns(), ensembletest.PlainNote, []string{
		"at ⟦10:30|TIME⟧, ⟦10:30 a.m.|TIME⟧, ⟦8:04:12 PM|TIME⟧, ⟦10am|TIME⟧, ⟦9 p.m.|TIME⟧, ⟦1430 hrs|TIME⟧, at ⟦1430|TIME⟧",
		"1:1000 epinephrine, ratio 3:1, 10 a day",
	})
}
