drop table deid.review_repair, deid.review_member;
alter table deid.review_view drop column member;
delete from deid.review_view where round in (select id from deid.review_round where kind = 'cluster');
delete from deid.review_item where round in (select id from deid.review_round where kind = 'cluster');
delete from deid.review_round where kind = 'cluster';
alter table deid.review_round drop constraint review_round_kind_check;
alter table deid.review_round add constraint review_round_kind_check
    check (kind in ('acceptance', 'disagreement', 'doubt', 'quarantine', 'rare'));
