package synth

import "strings"

func listed(text string) []string { return strings.Split(strings.ReplaceAll(text, "\n", ""), ",") }

// moreJobs are occupations beside those of [jobs], whose plural takes an s.
var moreJobs = listed(`bus driver,tugboat captain,school nurse,substitute teacher,kindergarten teacher,special education teacher,hotel maid,line worker,meat packer,
grocery clerk,stock clerk,data analyst,systems administrator,web designer,Uber driver,taxi driver,long-haul trucker,dispatcher,paramedic,EMT,correctional officer,
probation officer,crossing guard,church organist,choir director,deacon,missionary,stay-at-home parent,homemaker,dog groomer,zookeeper,ranch hand,migrant farm worker,
oil rig worker,pipefitter,boilermaker,ironworker,sheet metal worker,millwright,stonemason,drywaller,house painter,elevator mechanic,HVAC technician,lab technician,
radiology technician,dental assistant,phlebotomist,physician,surgeon,psychologist,chiropractor,massage therapist,yoga instructor,personal trainer,football coach,
lifeguard,tour guide,travel agent,florist,jeweler,watchmaker,cobbler,quilter,potter,sculptor,actor,stagehand,jazz drummer,wedding photographer,journalist,copy editor,
novelist,translator,historian,economist,actuary,tax preparer,loan officer,paper mill worker,shipyard welder,deckhand,lobsterman,cotton farmer,almond grower,vintner,
brewer,barista,dishwasher,short-order cook,caterer,pastry chef,grill cook,call center agent,car salesman,insurance agent,realtor,landlord,building superintendent,custodian,
groundskeeper,arborist,park ranger,game warden,city councilor,mayor,judge,court clerk,architect,surveyor,geologist,chemist,physicist,astronomer,mathematician,statistician,
mechanical engineer,nuclear engineer,aircraft mechanic,air traffic controller,railroad conductor,toll collector,parking attendant,doorman,bouncer,blackjack dealer`)

var countries = listed(`Mexico,Guatemala,Honduras,El Salvador,Nicaragua,Costa Rica,Panama,Colombia,Venezuela,Ecuador,Peru,Bolivia,Chile,Argentina,Brazil,Cuba,Haiti,Jamaica,
the Dominican Republic,Trinidad,Barbados,Canada,Ireland,Scotland,England,Wales,the UK,France,Spain,Portugal,Italy,Greece,Turkey,Germany,Austria,Switzerland,Belgium,the Netherlands,
Denmark,Sweden,Norway,Finland,Iceland,Poland,Ukraine,Russia,Belarus,Lithuania,Latvia,Estonia,Romania,Bulgaria,Hungary,Serbia,Croatia,Bosnia,Albania,Kosovo,Armenia,Georgia,Iran,Iraq,
Syria,Lebanon,Jordan,Israel,Egypt,Libya,Tunisia,Algeria,Morocco,Sudan,South Sudan,Ethiopia,Eritrea,Somalia,Kenya,Uganda,Rwanda,Burundi,Tanzania,Congo,the DRC,Cameroon,Nigeria,Ghana,
Togo,Senegal,Mali,Liberia,Sierra Leone,Guinea,Gambia,Angola,Zambia,Zimbabwe,Mozambique,South Africa,Madagascar,Saudi Arabia,Yemen,Oman,Kuwait,Qatar,the UAE,Dubai,Afghanistan,Pakistan,
India,Nepal,Bhutan,Bangladesh,Sri Lanka,Burma,Myanmar,Thailand,Laos,Cambodia,Vietnam,Malaysia,Singapore,Indonesia,the Philippines,China,Taiwan,Hong Kong,Korea,South Korea,Japan,
Mongolia,Kazakhstan,Uzbekistan,Australia,New Zealand,Fiji,Samoa,Tonga,Guam,the Marshall Islands,Micronesia,Cape Verde,Puerto Rico,Moldova,Slovakia,the Czech Republic,Belize`)

var foreignCities = listed(`London,Paris,Madrid,Lisbon,Rome,Naples,Athens,Istanbul,Berlin,Munich,Hamburg,Vienna,Zurich,Brussels,Amsterdam,Copenhagen,Oslo,Stockholm,Helsinki,Dublin,Cork,
Belfast,Edinburgh,Glasgow,Cardiff,Manchester,Liverpool,Leeds,Warsaw,Krakow,Kyiv,Odesa,Lviv,Moscow,Minsk,Budapest,Prague,Bucharest,Sofia,Belgrade,Sarajevo,Tirana,Yerevan,Tbilisi,
Tehran,Baghdad,Basra,Mosul,Aleppo,Damascus,Beirut,Amman,Jerusalem,Tel Aviv,Cairo,Alexandria,Tripoli,Tunis,Algiers,Casablanca,Marrakesh,Khartoum,Addis Ababa,Mogadishu,Nairobi,Mombasa,
Kampala,Kigali,Kinshasa,Lagos,Abuja,Ibadan,Accra,Kumasi,Lome,Dakar,Bamako,Freetown,Monrovia,Luanda,Lusaka,Harare,Maputo,Johannesburg,Cape Town,Durban,Riyadh,Jeddah,Mecca,Doha,Kabul,
Kandahar,Herat,Karachi,Lahore,Peshawar,Delhi,Mumbai,Chennai,Kolkata,Hyderabad,Kathmandu,Dhaka,Chittagong,Colombo,Yangon,Bangkok,Chiang Mai,Vientiane,Phnom Penh,Hanoi,Saigon,
Ho Chi Minh City,Da Nang,Hue,Kuala Lumpur,Jakarta,Bali,Manila,Cebu,Davao,Beijing,Shanghai,Wuhan,Guangzhou,Chengdu,Harbin,Taipei,Seoul,Busan,Tokyo,Osaka,Kyoto,Sydney,Melbourne,Brisbane,
Auckland,Mexico City,Guadalajara,Oaxaca,Puebla,Tijuana,Cancun,Acapulco,Guatemala City,San Salvador,Tegucigalpa,Managua,Bogota,Medellin,Cali,Caracas,Quito,Guayaquil,Lima,Cusco,La Paz,
Santiago,Buenos Aires,Sao Paulo,Rio,Salvador,Havana,Santo Domingo,Santiago,Port-au-Prince,Kingston,Montego Bay,San Juan,Ponce,Toronto,Montreal,Vancouver,Calgary,Halifax,Winnipeg,Ottawa`)

var nationalities = listed(`Mexican,Guatemalan,Salvadoran,Colombian,Brazilian,Cuban,Haitian,Jamaican,Dominican,Puerto Rican,Irish,Scottish,English,French,Spanish,Portuguese,Italian,Greek,
Turkish,German,Dutch,Swedish,Norwegian,Polish,Ukrainian,Russian,Lithuanian,Romanian,Hungarian,Bosnian,Albanian,Armenian,Persian,Iraqi,Syrian,Lebanese,Egyptian,Moroccan,Sudanese,
Ethiopian,Eritrean,Somali,Kenyan,Congolese,Nigerian,Ghanaian,Liberian,Afghan,Pakistani,Indian,Nepali,Bhutanese,Bengali,Burmese,Karen,Thai,Lao,Hmong,Cambodian,Khmer,Vietnamese,Filipino,
Chinese,Taiwanese,Korean,Japanese,Samoan,Tongan,Marshallese,Cape Verdean,Ashkenazi Jewish,African American,Caucasian,Hispanic,Native American,Navajo,Ojibwe,Cherokee`)
