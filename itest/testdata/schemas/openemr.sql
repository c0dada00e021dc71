-- After OpenEMR's published tables: one wide table of patients in which anything is text, forms tied by pid.
create table patient_data ( -- patient: pid
	id bigint, -- pseudonym|drop
	pid bigint primary key, -- pseudonym
	title varchar(255), -- drop|keep
	language varchar(255), -- keep|drop
	fname varchar(255), -- surrogate|drop name.first
	lname varchar(255), -- surrogate|drop name.last
	mname varchar(255), -- surrogate|drop name.middle
	dob date, -- year|date_shift birth_date
	street varchar(255), -- drop|surrogate street
	postal_code varchar(255), -- zip3|drop zip
	city varchar(255), -- drop|surrogate city
	state varchar(255), -- drop|surrogate|keep state
	country_code varchar(255), -- drop|keep|surrogate country
	drivers_license varchar(255), -- drop license
	ss varchar(255), -- drop ssn
	occupation text, -- drop|text
	phone_home varchar(255), -- drop|surrogate phone
	phone_biz varchar(255), -- drop|surrogate phone
	phone_contact varchar(255), -- drop|surrogate phone
	phone_cell varchar(255), -- drop|surrogate phone
	pharmacy_id integer, -- pseudonym|drop|keep
	status varchar(255), -- keep|drop
	contact_relationship varchar(255), -- drop
	mothersname varchar(255), -- drop|surrogate relative.name
	guardiansname text, -- drop|surrogate relative.name
	date timestamp, -- date_shift|drop
	sex varchar(255), -- keep
	referrer varchar(255), -- drop
	providerid integer, -- pseudonym|drop
	email varchar(255), -- drop|surrogate email
	ethnoracial varchar(255), -- keep|drop
	race varchar(255), -- keep|drop
	ethnicity varchar(255), -- keep|drop
	interpretter varchar(255), -- drop
	family_size varchar(255), -- drop
	monthly_income varchar(255), -- drop
	genericname1 varchar(255), -- drop
	genericval1 varchar(255), -- drop
	hipaa_mail varchar(3), -- keep|drop
	pubpid varchar(255), -- drop mrn|id
	county varchar(40), -- drop
	deceased_date timestamp, -- date_shift
	deceased_reason varchar(255), -- drop|text
	usertext1 varchar(255), -- drop
	billing_note text -- text|drop
);
create table form_encounter ( -- patient: pid
	id bigint primary key, -- pseudonym
	date timestamp, -- date_shift
	reason text, -- text|drop
	facility text, -- drop|surrogate facility
	facility_id integer, -- pseudonym|drop|keep
	pid bigint, -- pseudonym
	encounter bigint, -- pseudonym|drop
	onset_date timestamp, -- date_shift
	sensitivity varchar(30), -- keep|drop
	billing_note text, -- text|drop
	pc_catid integer, -- keep|drop|pseudonym
	provider_id integer, -- pseudonym|drop
	referral_source varchar(31) -- drop
);
create table pnotes ( -- patient: pid
	id bigint primary key, -- pseudonym
	date timestamp, -- date_shift
	body text, -- text
	pid bigint, -- pseudonym
	"user" varchar(255), -- drop username
	groupname varchar(255), -- drop
	activity smallint, -- keep|drop
	title varchar(255), -- text|drop
	assigned_to varchar(255), -- drop username|provider.name
	message_status varchar(20) -- keep|drop
);
create table form_vitals ( -- patient: pid
	id bigint primary key, -- pseudonym
	date timestamp, -- date_shift
	pid bigint, -- pseudonym
	"user" varchar(255), -- drop username
	bps varchar(40), -- drop|keep
	bpd varchar(40), -- drop|keep
	weight numeric(12,6), -- keep|drop
	height numeric(12,6), -- keep|drop
	temperature numeric(12,6), -- keep|drop
	pulse numeric(12,6), -- keep|drop
	note varchar(255), -- text|drop
	bmi numeric(12,6) -- keep|drop
);
create table insurance_data ( -- patient: pid
	id bigint primary key, -- pseudonym
	type varchar(9), -- keep|drop
	provider varchar(255), -- drop
	plan_name varchar(255), -- drop
	policy_number varchar(255), -- drop health_plan|account|id
	group_number varchar(255), -- drop health_plan|account|id
	subscriber_lname varchar(255), -- drop|surrogate relative.name
	subscriber_fname varchar(255), -- drop|surrogate relative.name
	subscriber_relationship varchar(255), -- drop
	subscriber_ss varchar(255), -- drop ssn|id
	subscriber_dob date, -- drop|date_shift
	subscriber_street varchar(255), -- drop|surrogate street
	subscriber_postal_code varchar(255), -- zip3|drop zip
	subscriber_city varchar(255), -- drop|surrogate city
	subscriber_phone varchar(255), -- drop|surrogate phone
	subscriber_employer varchar(255), -- drop|surrogate employer
	date date, -- date_shift|drop
	pid bigint, -- pseudonym
	copay varchar(255) -- drop
);
create table lists ( -- patient: pid
	id bigint primary key, -- pseudonym
	date timestamp, -- date_shift
	type varchar(255), -- keep|drop
	title varchar(255), -- drop|text
	begdate timestamp, -- date_shift
	enddate timestamp, -- date_shift
	diagnosis varchar(255), -- drop|text|keep
	comments text, -- text|drop
	pid bigint, -- pseudonym
	referredby varchar(255), -- drop provider.name
	injury_grade varchar(31) -- drop|keep
);
create table users ( -- patient: none
	id bigint primary key, -- pseudonym|keep|drop
	username varchar(255), -- drop username
	password text, -- drop
	fname varchar(255), -- drop provider.name
	mname varchar(255), -- drop provider.name
	lname varchar(255), -- drop provider.name
	federaltaxid varchar(255), -- drop
	npi varchar(15), -- drop id
	facility varchar(255), -- drop facility
	active boolean, -- keep|drop
	email varchar(255) -- drop email
);
