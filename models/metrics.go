package models

import "github.com/prometheus/client_golang/prometheus"

// Collector returns the set's metrics by model: sentences, cache hits, runs of the network and
// their inputs. They contain only counts and the models' names.
func (s *Set) Collector() prometheus.Collector { return collector{s} }

type collector struct{ set *Set }

// desc describes a metric that has a series for each model.
func desc(name, help string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName("pgdeid", "model", name), help, []string{"model"}, nil)
}

var (
	sentences = desc("sentences_total", "Sentences that members asked a neural model about.")
	hits      = desc("cache_hits_total", "Of these, sentences whose result was in the cache.")
	windows   = desc("windows_total", "Windows that the network ran over; a long sentence has several.")
	batches   = desc("batches_total", "Runs of the network.")
	cells     = desc("cells_total", "Words or wordpieces in all batches, padding included.")
	padding   = desc("padding_total", "Of these, padding.")
	cached    = desc("cached_sentences", "Sentences in the cache.")
)

// Describe implements [prometheus.Collector].
func (c collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{sentences, hits, windows, batches, cells, padding, cached} {
		out <- d
	}
}

// Collect implements [prometheus.Collector].
func (c collector) Collect(out chan<- prometheus.Metric) {
	for _, s := range c.set.Stats() {
		for d, value := range map[*prometheus.Desc]uint64{
			sentences: s.Sentences, hits: s.Hits, windows: s.Windows, batches: s.Batches, cells: s.Cells, padding: s.Padding,
		} {
			out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), s.Model)
		}
		out <- prometheus.MustNewConstMetric(cached, prometheus.GaugeValue, float64(s.Cached), s.Model)
	}
}
