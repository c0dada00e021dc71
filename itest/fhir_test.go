package itest

import (
	"encoding/json"
	"strings"
	"testing"
)

// Resources in JSON are published as valid resources without what identifies in any corner of them, whose references lead to the
// published resources, from the first copy and from the stream.
func TestReplicateFHIR(t *testing.T) {
	t.Parallel()
	tables, mapped := fhirTables(t)
	r := newReplicationOf(t, newPair(t), tables, mapped)
	all := resourcesOf(t, fhirPeople[0], 1)
	r.writeResources(t, all)
	do(t, r.src, "insert into fhir.bundle values ('bun-1', 'Patient/pat-1', '"+strings.ReplaceAll(bundleOf(all), "'", "''")+"')")
	run := r.run(t, exactDetector(t))
	r.caughtUp(t)
	r.writeResources(t, resourcesOf(t, fhirPeople[1], 2))
	do(t, r.src, `update fhir.documentreference set version = 2 where id = 'doc-1'`) // its resource is not in the stream
	r.caughtUp(t)
	r.checkResources(t, 2)
	before := one(t, r.dst, "select resource::text from fhir.documentreference where version = 2")

	// What a changed record tells is found in texts that were published before.
	do(t, r.src, `
		insert into fhir.diagnosticreport select 'rep-9', 1, jsonb_set(resource || '{"id": "rep-9"}', '{conclusion}', '"It was Bellweather who came."')
			from fhir.diagnosticreport where id = 'rep-1'`)
	r.caughtUp(t)
	want(t, r.dst, "1", "select count(*)::text from fhir.diagnosticreport where resource ->> 'conclusion' like '%Bellweather%'")
	do(t, r.src, `update fhir.patient set resource = jsonb_set(resource, '{name,1,family}', '"Bellweather"') where id = 'pat-1'`)
	eventually(t, "the text with the new name", func() bool {
		return one(t, r.dst, "select count(*)::text from fhir.diagnosticreport where resource ->> 'conclusion' like '%Bellweather%'") == "0"
	})
	r.checkResources(t, 2)
	want(t, r.dst, before, "select resource::text from fhir.documentreference where version = 2")
	run.stop(t)
	if log := run.log.String(); len(marksInText(log, fhirMarks)) > 0 {
		t.Errorf("log: %s", log)
	}
	validateFHIR(t, r.publishedResources(t))
}

func (r *replication) writeResources(t *testing.T, all map[string]string) {
	t.Helper()
	for name, doc := range all {
		do(t, r.src, "insert into fhir."+strings.ToLower(name)+" (id, resource) select doc ->> 'id', doc from (select '"+
			strings.ReplaceAll(doc, "'", "''")+"'::jsonb doc) d")
	}
}

// checkResources checks what the replica has of the resources of so many patients.
func (r *replication) checkResources(t *testing.T, patients int) {
	t.Helper()
	want(t, r.dst, "fhir.remark no_patient", "select string_agg(table_name || ' ' || reason, ',') from deid.quarantine") // of a group
	all := r.publishedResources(t)
	if len(all) < 11*patients {
		t.Errorf("%d resources", len(all))
	}
	for _, doc := range all {
		var v any
		if err := json.Unmarshal([]byte(doc), &v); err != nil {
			t.Fatal(err)
		}
		if found := marksInText(shown(v), fhirMarks); len(found) > 0 {
			t.Errorf("%v in %s", found, doc)
		}
	}
	if found := marksInDatabase(t, r.dst, fhirMarks); len(found) > 0 {
		t.Errorf("marks in %v", found)
	}
	for _, query := range []string{ // every reference leads to a resource, and what was together is
		`select count(*) = 0 from fhir.observation o left join fhir.patient p on o.resource #>> '{subject,reference}' = 'Patient/' || p.id
			left join fhir.encounter e on o.resource #>> '{encounter,reference}' = 'Encounter/' || e.id
			left join fhir.practitioner d on o.resource #>> '{performer,0,reference}' = 'Practitioner/' || d.id
			where p.id is null or e.id is null or d.id is null or e.resource #>> '{subject,reference}' <> 'Patient/' || p.id`,
		`select count(*) = 0 from fhir.patient p left join fhir.organization o on p.resource #>> '{managingOrganization,reference}' = 'Organization/' || o.id
			where o.id is null or p.resource ->> 'id' <> p.id or p.resource #>> '{link,0,other,reference}' <> 'Patient/' || p.id`,
		`select bool_and(o.resource #>> '{result,0,reference}' in (select 'Observation/' || id from fhir.observation)) from fhir.diagnosticreport o`,
		`select bool_and((e.resource #>> '{period,end}')::date - (e.resource #>> '{period,start}')::date = 6 and e.resource #>> '{period,start}' like '%T09:05:00+01:00')
			from fhir.encounter e`,
		`select bool_and(length(resource ->> 'onsetDateTime') = 4 and length(resource ->> 'abatementDateTime') = 7) from fhir.condition`,
		`select bool_and(resource #>> '{valueQuantity,value}' = '80.50' and resource #>> '{code,coding,0,code}' = '8867-4'
			and jsonb_array_length(resource -> 'performer') = 3) from fhir.observation`,
		`select bool_and(resource #>> '{onsetAge,value}' = '90') from fhir.allergyintolerance`,
		`select bool_and(array_length(lines, 1) = 4 and lines[1] like 'Mr. % slept' and lines[2] is null and lines[3] = '' and subject in
			(select 'Patient/' || id from fhir.patient) and forms[1] ->> 'x' like '% ate' and not forms[1] ? 'y' and forms[2] is null) from fhir.remark`,
		// The resources of a bundle are those of the tables.
		`select count(*) = 8 from fhir.bundle b, jsonb_array_elements(b.resource -> 'entry') e join (
			select resource from fhir.encounter union all select resource from fhir.observation
			union all select resource from fhir.condition union all select resource from fhir.documentreference
			union all select resource from fhir.diagnosticreport union all select resource from fhir.medicationrequest
			union all select resource from fhir.allergyintolerance union all select resource from fhir.immunization) r on r.resource = e -> 'resource'`,
		`select bool_and(resource #>> '{address,0,postalCode}' = '021' and jsonb_array_length(resource #> '{name,0,given}') = 2
			and not resource ?| '{meta,extension,photo,identifier,_birthDate}') from fhir.patient`,
		`select bool_and(resource #> '{content,3,attachment}' = '{"contentType": "application/pdf"}' and
			convert_from(decode(resource #>> '{content,0,attachment,data}', 'base64'), 'UTF8') like '<html>%</i> (%) slept.%') from fhir.documentreference`,
	} {
		if got := one(t, r.dst, "select ("+query+")::text"); got != "true" {
			t.Errorf("%s of %s", got, query)
		}
	}
}

// publishedResources returns all resources of the replica.
func (r *replication) publishedResources(t *testing.T) []string {
	t.Helper()
	var all []string
	for name := range resourcesOf(t, fhirPeople[0], 1) {
		all = append(all, texts(t, r.dst, "select resource::text from fhir."+strings.ToLower(name))...)
	}
	return append(all, texts(t, r.dst, "select resource::text from fhir.bundle")...)
}
