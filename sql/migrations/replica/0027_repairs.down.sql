drop table deid.review_repair;
