drop table deid.withheld;
