-- A French emergency department.
create table patients ( -- patient: id_patient
	id_patient bigint primary key, -- pseudonym
	ipp varchar(20), -- drop mrn|id
	nom varchar(80), -- surrogate|drop name.last
	nom_naissance varchar(80), -- surrogate|drop name.alias|name.last
	prenom varchar(80), -- surrogate|drop name.first
	date_naissance date, -- year|date_shift birth_date
	sexe char(1), -- keep|drop
	adresse varchar(200), -- drop|surrogate street
	code_postal varchar(5), -- drop zip
	ville varchar(80), -- drop|surrogate city
	telephone varchar(20), -- drop|surrogate phone
	num_secu varchar(15), -- drop ssn|id
	medecin_traitant varchar(120), -- drop provider.name
	personne_a_prevenir varchar(200) -- drop relative.name
);
create table passages ( -- patient: id_patient
	id_passage bigint primary key, -- pseudonym
	id_patient bigint references patients, -- pseudonym
	date_entree timestamp, -- date_shift
	date_sortie timestamp, -- date_shift
	motif varchar(400), -- text|drop
	niveau_tri smallint, -- keep|drop
	mode_arrivee varchar(20), -- keep|drop
	observation text, -- text
	conclusion text, -- text
	age integer, -- age_cap|drop
	box varchar(10) -- drop|keep
);
create table personnel ( -- patient: none
	id_personnel bigint primary key, -- pseudonym|keep|drop
	nom varchar(80), -- drop provider.name
	prenom varchar(80), -- drop provider.name
	rpps varchar(11), -- drop
	fonction varchar(40) -- drop|keep
);
