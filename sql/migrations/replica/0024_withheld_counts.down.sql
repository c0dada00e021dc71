drop view deid_info.withheld;
