package main

// tradeNames are biological medicines, drugs that are no longer in the Orange Book under their
// name, over-the-counter drugs, dressings, diets and devices, by their names in notes. Names of
// persons are left out.
//
//nolint:misspell // none is an English word
const tradeNames = `
abilify accolate actemra actos acthar adbry adcetris adderall aduhelm advair advil afrin aimovig ajovy alecensa aleve alimta
alprolix altuzan
ambien amitiza amjevita anoro aptiom aranesp arcalyst arimidex aromasin arzerra asacol atacand ativan atrovent augmentin austedo
avandia avapro
avastin avonex avsola azilect bactrim bavencio benadryl benefiber benlysta benicar beovu besponsa besremi betaseron betimol
bevacizumab bexsero
biktarvy blincyto boniva boostrix botox breo brilinta briumvi bumex byetta bystolic caduet caelyx calan cablivi canasa caplyta
carafate cardizem cardura
casgevy celebrex celexa cellcept chantix cialis cimzia cinqair cipro citrucel claritin cleocin clozaril cogentin colace combivent comirnaty
compazine concerta copaxone coreg cosentyx coumadin cozaar cresemba crestor crysvita cubicin cymbalta cyltezo cyramza dacogen
dalvance darzalex
decadron demadex demerol depakote descovy desyrel detrol dexilant diflucan dilantin dilaudid diovan ditropan dovato doxil dulcolax
dulera duoneb
dupixent duragesic dysport effexor elaprase elelyso elidel eliquis eloctate empaveli emgality enbrel enhertu enjaymo entresto
entyvio epclusa epogen
erbitux erleada eucrisa evenity evkeeza exelon eylea fabrazyme farxiga fasenra feraheme fetzima fiasp flagyl flomax flonase
florastor fluad fluzone
forteo fosamax fosrenol gammagard gamunex gardasil gattex gazyva genvoya geodon gilenya gleevec glucophage glucotrol hadlima halaven havrix
hemlibra hemgenix herceptin hizentra hulio humalog humira humulin hycodan hytrin ibrance ilaris ilumya imbruvica imdur imfinzi
imitrex imodium
increlex inderal inflectra injectafer insulin intuniv invanz invega invokana isentress isordil janumet januvia jardiance jemperli
jakafi juluca kadcyla
kalbitor kaletra kanuma keflex kenalog keppra kesimpta kevzara keytruda kineret kisqali klonopin kombiglyze krystexxa kymriah
kyprolis lamictal
lantus lasix latuda lemtrada leqembi leqvio letairis levaquin levemir levitra lexapro librium linzess lioresal lipitor lomotil
lopressor lotensin lovaza
lovenox lucentis lumizyme lunesta lupron lutathera luxturna lynparza lyrica lyumjev macrobid mavenclad mavyret maxalt maxipime
medrol menactra menveo
mepsevii metamucil micardis mircera mirapex mobic monjuvi motegrity motrin mounjaro mozobil mucinex mucomyst mvasi myalept
mylotarg myozyme myrbetriq
naglazyme namenda naprosyn narcan nasacort nasonex neulasta neupogen neurontin nexavar nexium nexplanon nivestym norco norvasc
novolin novolog nplate
nucala nucynta nuedexta nulojix nuplazid nurtec nutropin nuvaring nyvepria ocrevus odomzo ofev olumiant omontys oncaspar onpattro
opdivo opdualag
orencia otezla oxbryta oxycontin ozempic ozurdex padcev palforzia palynziq pamelor parsabiv paxlovid pegasys pepcid percocet
perjeta phenergan
phesgo piqray plaquenil plavix plegridy polivy pomalyst portrazza poteligeo pradaxa praluent pravachol praxbind precedex prevnar
prezista prialt
prilosec prinivil pristiq procardia procrit prograf prolia protonix provigil prozac pulmicort pulmozyme qulipta qvar ranexa
rapamune rebif reblozyl
reclast reglan remeron remicade remodulin renvela repatha requip restasis restoril retacrit revlimid rexulti rinvoq risperdal
ritalin rituxan robaxin
rocephin ruconest ruxience rybelsus rybrevant rylaze ryzodeg sandostatin saphnelo saphris savella saxenda semglee sensipar
serevent seroquel shingrix
signifor siliq simponi simulect sinemet singulair skyrizi soliris soliqua somavert sovaldi spevigo spinraza spiriva sprycel
stelara stiolto strattera
strensiq suboxone sucraid sunosi supprelin sustol symbicort symdeko symproic synagis synthroid tagrisso taltz tamiflu tarceva
tasigna tecartus
tecentriq tecfidera tegretol tenormin tepezza tessalon tezspire thymoglobulin tikosyn tivdak tivicay topamax toprol toradol toujeo
tracleer tradjenta
trajenta tramadol trazimera trelegy tremfya tresiba tricor trikafta trileptal trintellix triumeq trodelvy trogarzo trulicity
truvada truxima tylenol
tymlos tysabri tyvaso ubrelvy udenyca ultomiris ultracet ultram unasyn uplizna uptravi valcyte valium valtrex vancocin vasotec
vectibix velcade veltassa
velphoro ventolin verzenio vesicare vfend viagra vibramycin vicodin victoza viibryd vimizim vimpat vivitrol voltaren vpriv vraylar
vyepti vyndaqel
vytorin vyvanse vyvgart wegovy welchol wellbutrin xanax xarelto xeljanz xeloda xenical xenpozyme xeomin xgeva xiaflex xifaxan
xolair xopenex xospata
xtandi xyrem yervoy yescarta zaltrap zanaflex zantac zarxio zejula zelboraf zemaira zemdri zemplar zepbound zeposia zestoretic
zestril zetia ziextenzo
zinplava zithromax zocor zofran zolgensma zoloft zometa zomig zonegran zosyn zovirax zulresso zyloprim zymfentra zynlonta zynrelef
zyprexa zyrtec zytiga zyvox
allevyn aquacel aquaphor betadine biatain cetaphil chux coloplast convatec curad cutimed desitin dermabond dexcom duoderm
elastoplast enfamil
eucerin floseal gelfoam glucerna hibiclens hydrofera invacare jevity kaltostat kerlix kleenex ligasure medihoney mepilex mepitel
mepore miralax
neosporin nepro omnipod osmolite pedialyte pediasure polysporin prevena promogran purewick resmed santyl silvadene similac sorbsan
steri surgicel tegaderm
telfa tisseel tubigrip vaseline velcro versiva vicryl xeroform`
