package main

import (
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// addPlaces adds the towns of the United States, their streets' names and the
// countries of the world.
func addPlaces(data folder, l *synth.Lists) error {
	n := 0
	err := data.readCSV("us-geo/us_cities.csv.gz", func(column func(string) string) {
		if city := column("CITY"); takes(city) {
			n++
			l.Places = append(l.Places, lexicon.Place{City: city, State: column("STATE_CODE"), Zip3: fmt.Sprintf("%03d", 5+n*7%990)})
		}
	})
	if err != nil {
		return err
	}
	countries, err := data.readLines("alvearie-ibm/en_country_list.csv")
	if err != nil {
		return err
	}
	for _, line := range countries {
		if name, _, ok := strings.Cut(strings.Trim(line, `"`), ","); ok && takes(name) {
			l.Countries = append(l.Countries, name)
		}
	}
	for g := range l.Surnames { // streets are named for people and for places
		l.Streets = append(l.Streets, l.Surnames[g][:min(150, len(l.Surnames[g]))]...)
	}
	for i := 0; i < len(l.Places); i += 40 {
		l.Streets = append(l.Streets, l.Places[i].City)
	}
	return nil
}

var facilityFiles = []string{
	"hospitals", "nursing", "rehab", "urgent_care_facilities", "hospice", "longterm", "va_facilities", "home_health_agencies", "dialysis",
}

// addFacilities adds the names of hospitals, clinics and homes. Of each file at most
// 2,500, so that nursing homes don't crowd out the rest.
func addFacilities(data folder, l *synth.Lists) error {
	for _, file := range facilityFiles {
		n, have := 0, map[string]bool{}
		err := data.readCSV("synthea/providers_"+file+".csv.gz", func(column func(string) string) {
			name := facilityCase(column("name"))
			if n++; len(name) < 6 || len(name) > 60 || have[name] || len(have) >= 2500 || n%3 != 0 && n > 5000 {
				return
			}
			have[name] = true
			l.Facilities = append(l.Facilities, name)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// facilityCase writes "ST MARY'S HOSPITAL AND CLINIC" as people do.
func facilityCase(name string) string {
	words := strings.Fields(strings.ReplaceAll(name, ",", ", "))
	for i, w := range words {
		switch lower := strings.ToLower(w); lower {
		case "of", "and", "the", "at", "for", "in", "on", "by":
			if i > 0 {
				words[i] = lower
				continue
			}
			words[i] = nameCase(w)
		case "llc", "inc", "inc.", "llc.", "lp", "ltd", "corp", "pc", "dba":
			words[i] = ""
		case "va", "vamc", "ii", "iii", "nw", "ne", "sw", "se", "usa", "mc", "snf", "ltc":
			words[i] = strings.ToUpper(w)
		default:
			words[i] = strings.ReplaceAll(nameCase(w), "'S", "'s")
		}
	}
	return strings.Trim(strings.Join(strings.Fields(strings.Join(words, " ")), " "), " ,-")
}

// addWork adds occupations and universities.
func addWork(data folder, l *synth.Lists) error {
	rows, err := data.readLines("alvearie-ibm/en_occupations.csv.gz")
	if err != nil {
		return err
	}
	for i, row := range rows {
		if i%4 != 0 {
			continue
		}
		if job := occupation(row); job != "" {
			l.Jobs = append(l.Jobs, job)
		}
	}
	universities, err := readJSON[struct{ Name string }](data, "universities/universities_en.jsonl.gz")
	if err != nil {
		return err
	}
	for _, u := range universities {
		l.Universities = append(l.Universities, u.Name)
	}
	return nil
}

// occupation turns `"Accountant, bank",class` into "bank accountant", as people say
// it; what is not simple gives "".
func occupation(row string) string {
	title, _, _ := strings.Cut(row, ",")
	if rest, ok := strings.CutPrefix(row, `"`); ok {
		title, _, _ = strings.Cut(rest, `"`)
	}
	if strings.ContainsAny(title, "()/;&") || len(title) > 36 {
		return ""
	}
	head, of, _ := strings.Cut(strings.ToLower(title), ", ")
	if strings.Contains(of, ",") {
		return ""
	}
	return strings.TrimSpace(of + " " + head)
}
