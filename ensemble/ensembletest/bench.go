package ensembletest

import "strings"

// BenchNote is a made-up note of about 3 KB, with as many identifiers as a
// letter to a colleague has.
var BenchNote = strings.Repeat(`ADMISSION DATE: 03/05/2014    MRN: 00123456    DOB: 10/07/1969
HISTORY OF PRESENT ILLNESS: Mr. Smithson is a 44-year-old male with a long history of hypertension, who was seen by
Dr. Gregory House at Mercy General Hospital for chest pain rated 5/10. Blood pressure was 142/88, pulse 72 and regular,
temperature 98.6. He takes lisinopril 20 mg daily, metoprolol 25 mg p.o. b.i.d. and aspirin 81 mg, and denies any fever,
chills, nausea or vomiting. Since March 2013 he has had two episodes of syncope, the last on 12/29 at 10:30 a.m.
LABS: Sodium 138, potassium 4.1, creatinine 1.0, WBC 7.4, hemoglobin 13.2, platelets 250,000, troponin 0.01.
ASSESSMENT AND PLAN: 1. Chest pain, likely musculoskeletal. 2. Hypertension, at goal. Return in 2 weeks, or call
555.234.5678 with any questions. He lives at 128 Williams Court, Springfield, MA 02139 with his wife Zoe.
`, 4)[:3000]
