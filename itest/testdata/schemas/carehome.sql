-- A system for homes: residents, rooms, family contacts, daily notes, capitals run together.
create table "Residents" ( -- patient: ResidentId
	"ResidentId" integer primary key, -- pseudonym
	"FirstName" text, -- surrogate|drop name.first
	"LastName" text, -- surrogate|drop name.last
	"PreferredName" text, -- surrogate|drop name.alias
	"DateOfBirth" date, -- year|date_shift birth_date
	"RoomNumber" text, -- drop
	"MedicareNumber" text, -- drop health_plan|id
	"AdmissionDate" date, -- date_shift
	"DischargeDate" date, -- date_shift
	"FuneralHome" text, -- drop
	"PrimaryDiagnosis" text, -- drop|text
	"DietType" text, -- keep|drop
	"Weight" numeric(5,1), -- keep|drop
	"DoNotResuscitate" boolean, -- keep
	"Photo" bytea, -- drop
	"Hobbies" text[], -- drop
	"LifeStory" text, -- text|drop
	"PhysicianName" text -- drop provider.name
);
create table "FamilyContacts" ( -- patient: ResidentId
	"FamilyContactId" integer primary key, -- pseudonym
	"ResidentId" integer references "Residents", -- pseudonym
	"FirstName" text, -- drop relative.name
	"LastName" text, -- drop relative.name
	"Relationship" text, -- drop
	"HomePhone" text, -- drop|surrogate phone
	"EmailAddress" text, -- drop|surrogate email
	"HasPowerOfAttorney" boolean, -- keep|drop
	"BirthDate" date -- drop|date_shift
);
create table "DailyNotes" ( -- patient: ResidentId
	"DailyNoteId" bigint primary key, -- pseudonym
	"ResidentId" integer references "Residents", -- pseudonym
	"Shift" text, -- keep|drop
	"NoteDate" timestamp, -- date_shift
	"WrittenBy" text, -- drop provider.name
	"NoteText" text, -- text
	"MoodScore" integer, -- keep|drop
	"PainScale" integer -- keep|drop
);
create table "Visitors" ( -- patient: ResidentId
	"ResidentId" integer references "Residents", -- pseudonym
	"VisitedOn" timestamp, -- date_shift
	"VisitorName" text, -- drop relative.name
	"LicensePlate" text, -- drop vehicle|license
	"Temperature" numeric(4,1), -- keep|drop
	primary key ("ResidentId", "VisitedOn")
);
