drop table deid.review_view, deid.review_reading, deid.review_item, deid.review_round;
