package synth

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// trades are occupations as running text mentions them, beside those of jobs.
var trades = strings.Split(`accountant,actor,administrative assistant,air traffic controller,airline pilot,anthropologist,apartment manager,architect,art teacher,
asbestos remover,assembly line worker,assistant principal,astronomer,athletic trainer,au pair,auto mechanic,auto worker,babysitter,bail bondsman,ballet dancer,
banker,baggage handler,barista,biochemist,biologist,blacksmith,boat builder,boilermaker,bookseller,bouncer,brewer,bus driver,business owner,cab driver,cabinet maker,
call center operator,cameraman,car salesman,caregiver,carpet layer,caterer,CEO,chaplain,chauffeur,chemical engineer,chemist,child care worker,choir director,
city councilman,claims adjuster,cleaner,cleaning lady,clergyman,clerk,coal miner,college professor,commercial fisherman,computer programmer,construction foreman,
construction worker,contractor,cook,corrections officer,cosmetologist,court clerk,cowboy,crossing guard,custodian,customer service rep,data analyst,data entry clerk,
daycare worker,deckhand,delivery driver,dentist,detective,diplomat,disc jockey,dishwasher,diver,dock worker,dog groomer,dressmaker,drywall installer,economist,editor,
electrical engineer,elementary school teacher,EMT,engineer,English teacher,event planner,executive,exterminator,factory worker,farm hand,farmhand,fashion designer,
FedEx driver,film editor,financial advisor,financial planner,fire chief,fitness instructor,flooring contractor,florist,food server,foreman,forester,foundry worker,
fruit picker,fundraiser,funeral director,furniture mover,garbage collector,gardener,gas station attendant,geologist,glass blower,grain farmer,graphic artist,
grocery clerk,guidance counselor,gunsmith,gym teacher,hair stylist,handyman,heavy equipment operator,high school coach,high school math teacher,historian,
home care aide,homemaker,horse trainer,hospital administrator,hotel manager,hotel maid,house cleaner,house painter,housewife,HR manager,HVAC technician,
illustrator,immigration lawyer,insulation installer,insurance agent,insurance salesman,interior decorator,interpreter,investment banker,ironworker,IT consultant,
IT specialist,jeweler,jockey,journalist,judge,kindergarten teacher,lab technician,laborer,landlord,laundry worker,lawyer,legal secretary,letter carrier,
library assistant,lifeguard,limo driver,lineman,lobbyist,locksmith,long-haul trucker,lumberjack,machine operator,magician,maintenance man,maintenance worker,
manager,manicurist,mason,massage therapist,mathematician,meat cutter,meat packer,mechanical engineer,merchant marine,meteorologist,middle school teacher,
migrant farm worker,military officer,milkman,mill worker,millwright,minister,missionary,model,mover,music teacher,nail technician,nanny,Navy veteran,news anchor,
newspaper editor,novelist,nuclear engineer,nun,oil rig worker,oil field worker,office manager,opera singer,optometrist,orchardist,painter,park ranger,parking attendant,
parole officer,patent attorney,payroll clerk,peanut farmer,personal trainer,pest control technician,petroleum engineer,photographer,physicist,piano teacher,
piano tuner,pipefitter,pizza delivery driver,plasterer,playwright,poet,politician,postmaster,potter,preacher,preschool teacher,press operator,printer,prison guard,
probation officer,producer,product manager,professional golfer,professor,project manager,property manager,psychologist,public defender,quality inspector,
quarry worker,rabbi,race car driver,radio announcer,railroad conductor,railroad worker,rancher,receptionist,recruiter,refrigeration mechanic,reporter,
research scientist,restaurant manager,restaurant owner,retail clerk,ride-share driver,roofing contractor,sailor,sales clerk,sales manager,sales rep,salesman,
saleswoman,sandblaster,sanitation worker,school counselor,school custodian,school nurse,school principal,school superintendent,science teacher,scientist,sculptor,
security officer,sewing machine operator,sheep farmer,sheet metal worker,sheriff's deputy,shipyard welder,shoe repairman,shop foreman,short order cook,singer,
small business owner,soccer coach,social studies teacher,software engineer,songwriter,special education teacher,speech writer,statistician,steam fitter,
stock broker,stockbroker,stonemason,store manager,student teacher,substitute teacher,supervisor,surveyor,swim coach,systems analyst,tattoo artist,tax preparer,
taxi driver,teacher's aide,telemarketer,telephone operator,textile worker,tile setter,tobacco farmer,toll collector,tool maker,tour guide,tow truck driver,
toxicologist,train conductor,translator,travel agent,tree trimmer,truck mechanic,trucker,TV producer,typesetter,UPS driver,urban planner,vet tech,video game designer,
violinist,vocational counselor,waiter,warehouse manager,watchmaker,web designer,wedding planner,welder,window washer,woodworker,writer,yoga instructor,zookeeper,
Army medic,Army sergeant,Air Force mechanic,Coast Guard officer,Marine,Navy cook,Vietnam veteran,tradie,bus conductor,shearer,council worker,panel beater,
fourth-grade teacher,third grade teacher`, ",")

func jobName(s *scene) string {
	if oneIn(s.rng, 4) {
		return either(s.rng, jobs...)
	}
	return of(s, trades)
}

func specialAgeSlots() map[string]func(*scene) {
	between := func(lo, hi int) func(*scene) {
		return func(s *scene) { s.mark(phi.Age, itoa(lo+s.rng.IntN(hi-lo+1))) }
	}
	words := func(lo, hi int) func(*scene) {
		return func(s *scene) { s.mark(phi.Age, ageWords(lo+s.rng.IntN(hi-lo+1))) }
	}
	job := func(change func(string) string) func(*scene) {
		return func(s *scene) { s.mark(phi.Profession, change(jobName(s))) }
	}
	same := func(name string) string { return name }
	return map[string]func(*scene){
		"s.age":        between(18, 89),
		"s.age.mid":    between(30, 69),
		"s.age.old":    between(65, 89),
		"s.age.over89": between(90, 105),
		"s.age.kid":    between(2, 17),
		"s.age.small":  between(1, 23),
		"s.age.any":    between(3, 99),
		"s.age.words":  words(18, 99),
		"s.age.kidw":   words(2, 17),
		"s.age.decade": func(s *scene) {
			n := itoa(2 + s.rng.IntN(8))
			s.mark(phi.Age, either(s.rng, n+"0s", n+"0s", n+"0's", either(s.rng, "twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")))
		},
		"s.teens": func(s *scene) {
			s.mark(phi.Age, either(s.rng, "teens", "20s", "early 20s", "late 30s", "mid-40s", "early 60s"))
		},
		"s.job":  job(same),
		"s.jobs": job(func(name string) string { return strings.TrimSuffix(name, "s") + "s" }),
		"s.Job":  job(upperFirst),
		"s.JOB":  job(strings.ToUpper),
		"s.trade": func(s *scene) {
			s.mark(phi.Profession, either(s.rng, "construction", "landscaping", "retail", "sales", "real estate", "banking", "accounting", "human resources", "law enforcement", "advertising", "commercial fishing", "IT", "food service", "logging", "roofing", "trucking", "coal mining", "dairy farming", "home health care", "customer service", "the oil fields", "publishing", "education", "manufacturing", "housekeeping", "insurance", "carpentry", "HVAC", "marketing", "journalism"))
		},
	}
}
