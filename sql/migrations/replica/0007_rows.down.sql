drop function deid.set_readable(text, boolean), deid.put_in_order(text);
drop table deid.row_order;
drop schema deid_rows;
