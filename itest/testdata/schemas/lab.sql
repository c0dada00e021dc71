-- A laboratory's system: specimens and results, a patient in each order, text results.
create table orders ( -- patient: pat_no
	order_no bigint primary key, -- pseudonym
	pat_no varchar(20), -- pseudonym
	pat_name varchar(80), -- surrogate|drop name.full
	pat_dob varchar(10), -- year|date_shift|drop birth_date
	pat_sex char(1), -- keep|drop
	ordering_dr varchar(80), -- drop provider.name
	ward_code varchar(10), -- drop|keep
	ordered_on timestamp, -- date_shift
	clinical_details varchar(2000), -- text|drop
	fasting char(1), -- keep|drop
	copy_to varchar(200) -- drop
);
create table specimens ( -- patient: order_no via orders
	specimen_id bigint primary key, -- pseudonym
	order_no bigint references orders, -- pseudonym
	barcode varchar(30), -- drop
	collected_at timestamp, -- date_shift
	received_at timestamp, -- date_shift
	collected_by varchar(40), -- drop provider.name
	container_type varchar(20), -- keep|drop
	volume_ml numeric(6,2) -- keep|drop
);
create table results ( -- patient: order_no via orders
	result_id bigint primary key, -- pseudonym
	order_no bigint references orders, -- pseudonym
	test_code varchar(12), -- keep|drop
	test_name varchar(80), -- drop|keep
	result_text varchar(4000), -- text
	result_value numeric(12,4), -- keep|drop
	units varchar(20), -- keep|drop
	ref_low numeric(12,4), -- keep|drop
	ref_high numeric(12,4), -- keep|drop
	abnormal_flag char(2), -- keep|drop
	analyser_serial_no varchar(30), -- drop device
	validated_by varchar(40), -- drop provider.name|username
	validated_at timestamp, -- date_shift
	year_collected integer -- year|drop
);
create table doctors ( -- patient: none
	dr_code varchar(10) primary key, -- pseudonym
	dr_name varchar(80), -- drop provider.name
	practice_name varchar(80), -- drop facility|provider.name
	practice_address varchar(200), -- drop street
	practice_fax varchar(20) -- drop fax
);
