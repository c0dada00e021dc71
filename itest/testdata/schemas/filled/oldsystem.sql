-- A system that was carried over: days as numbers and as text, in one order or in either, and days that stand for "never".
create table patients ( -- patient: pid
	pid bigint primary key, -- pseudonym
	birth_date integer, -- year|date_shift birth_date
	died_on varchar(20) -- date_shift|drop
);
create table stay ( -- patient: pid
	stay_no bigint primary key, -- pseudonym
	pid bigint references patients, -- pseudonym
	began integer, -- date_shift
	entered varchar(20), -- date_shift
	left_again varchar(20), -- drop
	valid_until timestamp, -- drop
	seen_at timestamp, -- date_shift
	reviewed integer, -- drop
	ticket integer -- drop
);
insert into patients select n, 19500101 + n % 28, '2024-02-' || lpad((1 + n % 28)::text, 2, '0') from generate_series(1, 40) n;
insert into stay select n, n, 20240100 + 1 + n % 28, to_char(date '2024-01-01' + n, 'DD.MM.YYYY'), to_char(date '2024-01-01' + n % 12, 'DD/MM/YYYY'),
	case when n % 9 = 0 then timestamp '2100-12-31' else timestamp '2024-03-01' end, timestamp '2024-03-01 10:00' + n * interval '1 hour',
	case when n % 5 = 0 then 99991231 else 20240100 + 1 + n % 28 end, 10000000 + n * 7919
	from generate_series(1, 40) n;
