package apply

import "github.com/jackc/pgx/v5"

// queueRepairs queues which repairs of the rows' texts have an effect.
func queueRepairs(batch *pgx.Batch, list []*Version) {
	var ids []int64
	var void []bool
	for _, v := range list {
		for _, r := range v.repairs {
			ids, void = append(ids, r.ID), append(void, r.Void)
		}
	}
	if len(ids) == 0 {
		return
	}
	batch.Queue(`
		update deid.review_repair r set void = s.void
		from unnest($1::bigint[], $2::boolean[]) s (id, void) where r.id = s.id and r.void <> s.void`, ids, void)
}
