package main

// insert says where PHI may be put into a note that has none: group 1 is replaced
// (it may be empty) with one of the texts.
type insert struct {
	pattern string
	chance  float64
	with    []string
}

const verb = `(?: (?:is|was|has|had|presents|presented|states|stated|reports|reported|denies|denied|underwent|tolerated|will|` +
	`returns|returned|came|comes|complains|continues|continued|did|does|would|may|can|should|also|then|now|currently|understood|agreed))\b`

// inserts is the table of places for PHI, the more telling ones first: two inserts
// never overlap.
var inserts = []insert{
	{`\b(?:[Tt]he|[Tt]his) (patient) is (?:a|an) `, 0.10, []string{
		"patient, {pt.full},", "patient, {pt.mr},", "patient {pt.full}",
		"patient, {pt.lf},",
	}},
	{`\b((?:The|This) patient)` + verb, 0.11, []string{
		"{pt.mr}", "{pt.mr}", "{pt.mr}", "{pt.full}", "{pt.last}", "{pt.first}",
		"Patient {pt.full}", "Pt {pt.last}", "{pt.nick}", "[The|This] patient, {pt.full},",
	}},
	{`\b((?:the|this) patient)'s\b`, 0.06, []string{"{pt.mr}", "{pt.first}", "{pt.last}", "{pt.mr}"}},
	{`[a-z,] (the patient)` + verb, 0.06, []string{"{pt.mr}", "{pt.first}", "{pt.mr}", "{pt.full}", "the patient, {pt.mr},"}},
	{`(?:to|with|for|by|of|saw|and) (the patient)[,.;]`, 0.05, []string{
		"{pt.mr}", "{pt.first}", "{pt.full}", "the patient, {pt.first},",
		"{pt.last}",
	}},
	{`(?m)(?:^|[.:]\s+)((?:She|He))` + verb, 0.05, []string{"{pt.mr}", "{pt.first}", "{pt.first}", "{pt.full}", "{pt.last}"}},
	{
		`\b[Tt]he patient's (mother|father|wife|husband|son|daughter|sister|brother)\b`, 0.3,
		[]string{"{rel}", "{rel}", "{rel.kind}, {rel.full},"},
	},
	{
		`\b(?:[Hh]is|[Hh]er) ((?:mother|father|wife|husband|son|daughter|sister|brother|partner|mom|dad))\b[ ,.](?:[^'a]|and|a)`, 0.16,
		[]string{"{rel}", "{rel.kind} {rel.name}", "{rel.kind}, {rel.full},"},
	},
	{`\b[Pp]rimary care (?:physician|provider|doctor)(,| is| was)? `, 0.4, []string{
		", {outdr},", " {outdr}", " is {outdr} and", " ({outdr})",
		", {pcp},",
	}},
	{
		`\b(?:discussed|consulted|reviewed|spoke|spoken|conferred|case) with (the|patient|family|his|her)\b`, 0.25,
		[]string{"{outdr} and the", "{dr} and the", "{nurse} and the", "{outdr} from {hosp.made} and the"},
	},
	{
		`\b(?:seen|evaluated|examined|followed|referred|treated|operated on|intubated|admitted|managed) by (the|an?|his|her)\b`, 0.3,
		[]string{"{outdr}, the", "{outdr} and the", "{dr} and a", "{dr.full}, the", "{nurse} and the"},
	},
	{`\b(?:seen|evaluated|followed|referred|examined) by (?:cardiology|neurology|surgery|orthopedics|urology|GI|oncology|` +
		`psychiatry|physical therapy|anesthesia|infectious disease)()\b`, 0.5, []string{
		" ({outdr})", " with {outdr}", ", {outdr},",
		" at {hosp.made}",
	}},
	{`\b(?:presented|admitted|transferred|brought|referred|sent|taken|came|returned|discharged|transported|seen) (?:to|from|at|in) ` +
		`(?:the|an|our|this) (?:outside |local |nearby )?(?:hospital|emergency room|emergency department|ER|ED|intensive care unit|` +
		`ICU|clinic|office|operating room|floor|nursing home|rehab\w*)()\b`, 0.3, []string{
		" at {hosp.made}", " of {hosp.made}",
		" at {hosp.abbr}", " at {hosp}", " on {past.whole}", " on {date}", " ({hosp.other})", " on {weekday}", " in {town}",
	}},
	{`\b(?:admitted|transferred|discharged|brought|sent|referred) to (the (?:hospital|floor|ICU|emergency room|nursing home|` +
		`rehabilitation unit|clinic))\b`, 0.25, []string{"{hosp.made}", "{hosp.abbr}", "{hosp.other}", "{hosp.short}"}},
	{`\b(?:the|an) outside (hospital|facility|clinic)\b`, 0.5, []string{
		"hospital ({hosp.made})", "hospital, {hosp.made}",
		"facility in {town}",
	}},
	{`\b[Ll]ives? (with|alone with)\b`, 0.6, []string{
		"in {town} with", "at {street.any} with", "in {town.state} with",
		"in {town.state}, with", "in {county} with", "near {town} with", "on {street.any} with",
	}},
	{`\b[Ll]ives? (?:alone|at home|independently)()\b`, 0.6, []string{
		" in {town}", " in {town.state}", " at {street.any}", " in {anystate}",
		" at {address}", " near {place}",
	}},
	{`\b(?:is|was) (married|single|divorced|widowed|retired)\b`, 0.35, []string{
		"a {job.other}", "a retired {job.other}", "from {town}",
		"originally from {country}", "married to {rel.name}", "employed at {employer.any}", "a {job.other} at {employer.any}",
		"a native of {anystate}",
	}},
	{
		`\b(?:works?|worked|working|employed) (?:as|in|at|for) (an? \w+|the \w+)`, 0.6,
		[]string{"a {job.other}", "a {job.other} for {employer.any}", "{employer.any}", "a {job.other} in {town}"},
	},
	{`\b[Ff]ollow[- ]?up (in) (?:\w+ ){1,3}(?:weeks?|days?|months?)`, 0.35, []string{
		"with {outdr} in", "at {hosp.made} in", "with {dr} in",
		"with {pcp} on {next} or in",
	}},
	{`\b(?:weeks?|days?|months?|years?) ago()\b`, 0.18, []string{
		" on {past.whole}", " ({past})", ", on {past.whole},", " at {hosp.made}",
		" in {town}", " by {outdr}", " with {outdr}",
	}},
	{
		`\b(?:surgery|procedure|biopsy|colonoscopy|catheterization|appendectomy|cholecystectomy|hysterectomy|CT scan|CT|MRI|x-ray|` +
			`echocardiogram|EKG|ultrasound|stress test|mammogram)() (?:was|showed|revealed|demonstrated|in|which)\b`, 0.16,
		[]string{
			" on {past.whole}", " ({past.whole})", " of {past.whole}", " by {outdr}", " at {hosp.made}", " dated {past.whole}",
			" performed by {outdr} on {past.whole}", " {recent.md}", " done at {hosp.other}",
		},
	},
	{
		`(?m)^(?:[A-Z ]*(?:SURGEON|ASSISTANT|ATTENDING|PHYSICIAN|ANESTHESIOLOGIST|CONSULTANT|DICTATED BY|PROVIDER)[A-Z ]*): *()(?:[A-Z]|$)`,
		0.6,
		[]string{"{outdr.full}, M.D. ", "{dr.full}, MD ", "{me} ", "{outdr} "},
	},
	{
		`(?m)^(?:(?:CHIEF COMPLAINT|REASON FOR VISIT|HISTORY OF PRESENT ILLNESS|HISTORY|SUBJECTIVE|HPI)): *()`, 0.12,
		[]string{
			"{pt.full} is a {age}-year-old {man}. ", "{pt.mr} is a {age}-year-old {man}. ", "{pt.full}, DOB {dob}. ",
			"{pt.last} is here with {his} {rel}. ", "This is {pt.full}, {age} y/o {man} from {town}. ",
		},
	},
	{`(?m)[a-z]\.()$`, 0.05, []string{"{insert}", " {insert}", " {insert} {insert}"}},
	{`(?m)[a-z]\.()  ?[A-Z][a-z]`, 0.025, []string{" {insert}", "  {insert}"}},
}

// insertions adds the edits that put PHI in, where nothing else is changed.
func (s *scrubber) insertions(c *carrier) {
	certain := len(c.edits)
	for i, at := range s.inserts {
		for _, m := range at.at.FindAllStringSubmatchIndex(c.text, -1) {
			if m[2] < 0 || overlap(c.edits[:certain], m[2]-1, m[3]+1) || taken(c.edits[certain:], m[2], m[3]) {
				continue
			}
			c.edits = append(c.edits, edit{start: m[2], end: m[3], chance: s.chances[i], with: at.with})
		}
	}
}

// taken reports whether an edit is at the same place or overlaps.
func taken(edits []edit, start, end int) bool {
	for _, e := range edits {
		if e.start < end && start < e.end || e.start == start {
			return true
		}
	}
	return false
}
