-- In the manner of a reporting database of a large vendor: capitals, numeric keys, suffixes _C for categories, notes by line.
create table "PATIENT" ( -- patient: PAT_ID
	"PAT_ID" varchar(18) primary key, -- pseudonym
	"PAT_NAME" varchar(200), -- surrogate|drop name.full
	"PAT_LAST_NAME" varchar(200), -- surrogate|drop name.last
	"PAT_FIRST_NAME" varchar(200), -- surrogate|drop name.first
	"PAT_MRN_ID" varchar(102), -- drop|surrogate mrn
	"SSN" varchar(102), -- drop ssn
	"BIRTH_DATE" timestamp, -- year|date_shift birth_date
	"SEX_C" varchar(66), -- keep|drop
	"ADD_LINE_1" varchar(254), -- drop|surrogate street
	"ADD_LINE_2" varchar(254), -- drop|surrogate street
	"CITY" varchar(50), -- drop|surrogate city
	"STATE_C" integer, -- keep|drop
	"ZIP" varchar(60), -- zip3|drop zip
	"HOME_PHONE" varchar(254), -- drop|surrogate phone
	"EMAIL_ADDRESS" varchar(254), -- drop|surrogate email
	"CUR_PCP_PROV_ID" varchar(18), -- pseudonym|drop
	"EMPY_NAME" varchar(254), -- drop|surrogate employer
	"ETHNIC_GROUP_C" integer, -- keep|drop
	"MARITAL_STATUS_C" integer, -- keep|drop
	"DEATH_DATE" timestamp, -- date_shift
	"PAT_STATUS_C" integer, -- keep|drop
	"REC_CREATE_USER_ID" varchar(18) -- pseudonym|drop
);
create table "CLARITY_SER" ( -- patient: none
	"PROV_ID" varchar(18) primary key, -- pseudonym
	"PROV_NAME" varchar(200), -- drop provider.name
	"PROV_TYPE" varchar(66), -- keep|drop
	"PROV_ABBR" varchar(20), -- drop
	"USER_ID" varchar(18) -- pseudonym|drop
);
alter table "PATIENT" add foreign key ("CUR_PCP_PROV_ID") references "CLARITY_SER";
create table "PAT_ENC" ( -- patient: PAT_ID
	"PAT_ENC_CSN_ID" bigint primary key, -- pseudonym
	"PAT_ID" varchar(18) references "PATIENT", -- pseudonym
	"CONTACT_DATE" timestamp, -- date_shift
	"PAT_ENC_DATE_REAL" double precision, -- drop
	"CONTACT_YMD" integer, -- date_shift|drop
	"ENC_TYPE_C" varchar(66), -- keep|drop
	"VISIT_PROV_ID" varchar(18) references "CLARITY_SER", -- pseudonym|drop
	"DEPARTMENT_ID" bigint, -- pseudonym|drop|keep
	"BP_SYSTOLIC" integer, -- keep|drop
	"BP_DIASTOLIC" integer, -- keep|drop
	"AGE" smallint, -- age_cap|drop
	"HSP_ACCOUNT_ID" bigint, -- pseudonym|drop account
	"EXTERNAL_VISIT_ID" varchar(254), -- pseudonym|drop
	"CHARGE_SLIP_NUMBER" varchar(254) -- drop
);
create table "HNO_INFO" ( -- patient: PAT_ID
	"NOTE_ID" varchar(18) primary key, -- pseudonym
	"PAT_ID" varchar(18) references "PATIENT", -- pseudonym
	"PAT_ENC_CSN_ID" bigint references "PAT_ENC", -- pseudonym|drop
	"IP_NOTE_TYPE_C" varchar(66), -- keep|drop
	"NOTE_DESC" varchar(254), -- text|drop
	"CURRENT_AUTHOR_ID" varchar(18), -- pseudonym|drop
	"CREATE_INSTANT_DTTM" timestamp -- date_shift
);
create table "HNO_NOTE_TEXT" ( -- patient: NOTE_ID via HNO_INFO
	"NOTE_ID" varchar(18) references "HNO_INFO", -- pseudonym
	"LINE" integer, -- keep
	"CONTACT_DATE" timestamp, -- date_shift
	"NOTE_TEXT" text, -- text
	primary key ("NOTE_ID", "LINE")
);
create table "PAT_RELATIONSHIPS" ( -- patient: PAT_ID
	"PAT_ID" varchar(18) references "PATIENT", -- pseudonym
	"LINE" integer, -- keep
	"PAT_REL_NAME" varchar(254), -- drop|surrogate relative.name
	"PAT_REL_RELATION_C" integer, -- keep|drop
	"PAT_REL_HOME_PHONE" varchar(254), -- drop|surrogate phone
	"PAT_REL_LEGAL_GUAR_YN" varchar(1), -- keep|drop
	primary key ("PAT_ID", "LINE")
);
create table "PAT_ADDR_CHNG_HX" ( -- patient: PAT_ID
	"PAT_ID" varchar(18) references "PATIENT", -- pseudonym
	"ADDR_CHANGE_LINE" integer, -- keep
	"ADDR_HX_LINE1" varchar(254), -- drop|surrogate street
	"CITY_HX" varchar(254), -- drop|surrogate city
	"ZIP_HX" varchar(60), -- zip3|drop zip
	"EFF_START_DATE" timestamp, -- date_shift|drop
	primary key ("PAT_ID", "ADDR_CHANGE_LINE")
);
create table "COVERAGE" ( -- patient: PAT_ID
	"COVERAGE_ID" bigint primary key, -- pseudonym
	"PAT_ID" varchar(18) references "PATIENT", -- pseudonym
	"SUBSCR_NUM" varchar(254), -- drop health_plan|account|id
	"SUBSCR_NAME" varchar(254), -- drop|surrogate relative.name|name.full
	"SUBSCR_BIRTHDATE" timestamp, -- drop|date_shift
	"GROUP_NUM" varchar(254), -- drop health_plan|account|id
	"GROUP_NAME" varchar(254), -- drop
	"COVERAGE_TYPE_C" varchar(66), -- keep|drop
	"CVG_EFF_DT" timestamp -- date_shift|drop
);
create table "ORDER_RESULTS" ( -- patient: PAT_ID
	"ORDER_PROC_ID" bigint, -- pseudonym
	"LINE" integer, -- keep
	"PAT_ID" varchar(18) references "PATIENT", -- pseudonym
	"RESULT_DATE" timestamp, -- date_shift
	"COMPONENT_ID" bigint, -- pseudonym|keep|drop
	"ORD_VALUE" varchar(254), -- drop|text
	"ORD_NUM_VALUE" double precision, -- keep|drop
	"REFERENCE_UNIT" varchar(100), -- keep|drop
	"RESULT_FLAG_C" varchar(66), -- keep|drop
	"COMPONENT_COMMENT" varchar(4000), -- text|drop
	primary key ("ORDER_PROC_ID", "LINE")
);
