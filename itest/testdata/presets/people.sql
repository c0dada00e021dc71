-- Made-up patients for every preset: what is written of them must not come out of any. Numbers 11 and 12 arrive while the stream runs.
create temp table people (n int primary key, given text, middle text, family text, sex text, born date, mrn text, ssn text, phone text, email text,
	street text, city text, state text, zip text, kin text, says text);
insert into people (n, given, middle, family, sex, born, mrn, ssn, phone, email, street, city, state, zip, kin) values
	(1, 'Ottolinde', 'Quenby', 'Varnabeck', 'F', '1931-07-14', '77192801', '914-28-7101', '617-482-0101', 'ottolinde.v@wexcombe.example', '41 Thornhythe Lane', 'Wexcombe', 'MA', '02139', 'Eberhart Varnabeck'),
	(2, 'Thaddeon', 'Rufford', 'Wrexlingham', 'M', '1944-02-03', '77192802', '914-28-7102', '617-482-0102', 'tw1944@brackmere.example', '7 Oldcastle Rise', 'Brackmere', 'MA', '02138', 'Sunniva Wrexlingham'),
	(3, 'Ysoldette', 'Marjoram', 'Grimsdyche', 'F', '1952-11-29', '77192803', '914-28-7103', '617-482-0103', 'ysoldette@wexcombe.example', '112 Larkenmoor Street', 'Wexcombe', 'MA', '02139', 'Corvin Grimsdyche'),
	(4, 'Lucasto', 'Penhallow', 'Okonkwarra', 'M', '1960-05-17', '77192804', '914-28-7104', '617-482-0104', 'lucasto.o@brackmere.example', '3 Saltmarsh Close', 'Brackmere', 'MA', '02138', 'Adaeze Okonkwarra'),
	(5, 'Halcyonne', 'Briarley', 'Szczepanowka', 'F', '1967-09-08', '77192805', '914-28-7105', '617-482-0105', 'halcyonne@wexcombe.example', '88 Hollinbrook Road', 'Wexcombe', 'MA', '02139', 'Zbygnievo Szczepanowka'),
	(6, 'Evanderly', 'Tolliver', 'Mbekizwane', 'M', '1973-12-21', '77192806', '914-28-7106', '617-482-0106', 'evanderly@brackmere.example', '19 Foxglove Terrace', 'Brackmere', 'MA', '02138', 'Nomvula Mbekizwane'),
	(7, 'Philomenka', 'Ashgrove', 'Dunwoodeigh', 'F', '1980-03-30', '77192807', '914-28-7107', '617-482-0107', 'philomenka@wexcombe.example', '250 Quarrymount Avenue', 'Wexcombe', 'MA', '02139', 'Lysander Dunwoodeigh'),
	(8, 'Bartolomej', 'Winslade', 'Tamburlainey', 'M', '1988-08-12', '77192808', '914-28-7108', '617-482-0108', 'bartolomej@brackmere.example', '64 Cinderford Way', 'Brackmere', 'MA', '02138', 'Petrunella Tamburlainey'),
	(9, 'Xanthippea', 'Fairholm', 'Lundqvistson', 'F', '1996-01-26', '77192809', '914-28-7109', '617-482-0109', 'xanthippea@wexcombe.example', '5 Millrace Court', 'Wexcombe', 'MA', '02139', 'Torvalde Lundqvistson'),
	(10, 'Ignatienne', 'Holbrooke', 'Abercorwyn', 'M', '2009-06-05', '77192810', '914-28-7110', '617-482-0110', 'ignatienne@brackmere.example', '31 Heronsgate Drive', 'Brackmere', 'MA', '02138', 'Rosamunde Abercorwyn'),
	(11, 'Cassiopeja', 'Netherby', 'Vandermolenka', 'F', '1955-10-19', '77192811', '914-28-7111', '617-482-0111', 'cassiopeja@wexcombe.example', '77 Ravensworth Hill', 'Wexcombe', 'MA', '02139', 'Ludovicus Vandermolenka'),
	(12, 'Mordecaius', 'Stillwell', 'Pfannenstielke', 'M', '1948-04-04', '77192812', '914-28-7112', '617-482-0112', 'mordecaius@brackmere.example', '140 Applegarth Mews', 'Brackmere', 'MA', '02138', 'Wilhelmyna Pfannenstielke');
-- What a note says of each; numbers behind the name tell notes apart.
update people set says = format('%s %s was seen today, MRN %s. Born %s, lives at %s in %s. %s called from %s. SSN %s. Ate well and slept.',
	case sex when 'F' then 'Mrs.' else 'Mr.' end, family, mrn, to_char(born, 'MM/DD/YYYY'), street, city, kin, phone, ssn);
