-- In the manner of a national hospital system projected to SQL: station and internal entry numbers, names last first.
create table spatient ( -- patient: patientsid
	patientsid bigint primary key, -- pseudonym
	patientien varchar(50), -- pseudonym|drop
	sta3n smallint, -- keep|drop
	patientname varchar(50), -- surrogate|drop name.full
	patientlastname varchar(50), -- surrogate|drop name.last
	patientfirstname varchar(50), -- surrogate|drop name.first
	patienticn varchar(50), -- drop|pseudonym id|mrn
	patientssn varchar(50), -- drop ssn
	scrssn varchar(50), -- drop
	dateofbirth date, -- year|date_shift birth_date
	dateofdeath date, -- date_shift
	age integer, -- age_cap|drop
	religion varchar(50), -- drop|keep
	periodofservice varchar(50), -- drop|keep
	testpatientflag char(1), -- keep|drop
	sensitiveflag char(1) -- keep|drop
);
create table spatientaddress ( -- patient: patientsid
	spatientaddresssid bigint primary key, -- pseudonym
	patientsid bigint references spatient, -- pseudonym
	addresstype varchar(30), -- keep|drop
	relationshiptopatient varchar(50), -- drop
	nameofcontact varchar(50), -- drop relative.name
	streetaddress1 varchar(50), -- drop|surrogate street
	city varchar(50), -- drop|surrogate city
	zip varchar(10), -- zip3|drop zip
	phonenumber varchar(50) -- drop|surrogate phone
);
create table tiudocument ( -- patient: patientsid
	tiudocumentsid bigint primary key, -- pseudonym
	patientsid bigint references spatient, -- pseudonym
	tiudocumentdefinition varchar(100), -- drop|keep
	referencedatetime timestamp, -- date_shift
	entrydatetime timestamp, -- date_shift
	signedbystaffsid bigint, -- pseudonym|drop
	signaturedatetime timestamp, -- date_shift
	reporttext text, -- text
	documentsubject varchar(100), -- drop|text
	tiustatus varchar(30) -- keep|drop
);
create table sstaff ( -- patient: none
	staffsid bigint primary key, -- pseudonym|keep|drop
	staffname varchar(50), -- drop provider.name
	signatureblockname varchar(100), -- drop provider.name
	officephone varchar(50), -- drop phone
	positiontitle varchar(50) -- drop|keep
);
