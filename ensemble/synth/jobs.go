package synth

import "strings"

// jobs are occupations as social histories name them.
var jobs = strings.Split(strings.ReplaceAll(`glazier,civil engineer,CPA,teacher,truck driver,veteran,welder,motor vehicle body repairer,securities broker,school bus driver,
marketing manager,concrete finisher,registered nurse,farmer,dairy farmer,line cook,cashier,electrician,carpenter,plumber,attorney,librarian,barber,
software developer,graphic designer,warehouse worker,forklift operator,hairdresser,police officer,firefighter,mechanic,machinist,secretary,bookkeeper,
nurse's aide,home health aide,janitor,housekeeper,postal worker,mail carrier,fisherman,logger,coal miner,pastor,priest,musician,painter,roofer,seamstress,
pharmacist,dental hygienist,bartender,waitress,security guard,bank teller,accountant,professor of chemistry,middle school principal,real estate agent,
insurance adjuster,bricklayer,crane operator,pilot,flight attendant,soldier,Marine,tailor,butcher,baker,upholsterer,tool and die maker,auctioneer,
day care provider,social worker,paralegal,court reporter,optician,veterinarian,landscaper,beekeeper,steelworker,longshoreman,chef`, "\n", ""), ",")
