package eval

import (
	"fmt"
	"html/template"

	"github.com/pgdeid/pgdeid/ensemble/eval/chart"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// drawing is a chart for a page.
type drawing interface {
	SVG() (template.HTML, error)
	Marks() int // dots or columns
}

const percentOfWords = "percent of words; the axis begins near the lowest value"

// rateDots shows recall and precision of rows side by side.
func rateDots(id, title string, labels []string, recall, precision []chart.Point) chart.Dots {
	return chart.Dots{
		Heading: chart.Heading{
			ID: id, Title: title,
			Desc: fmt.Sprintf("%d rows, each with recall as a disc and precision as a square, in percent. The table beside the chart has "+
				"the numbers.", len(labels)),
		},
		Axis: percentOfWords, Labels: labels, Floor: 0, Ceil: 100,
		Series: []chart.Series{{Name: "recall", Points: recall}, {Name: "precision", Points: precision}},
	}
}

// rate returns a point in percent: missing if of is 0, and without an interval if the limits are
// missing or nil.
func rate(value float64, of int, limits *[2]float64) chart.Point {
	switch {
	case of == 0:
		return chart.Missing()
	case limits == nil || *limits == [2]float64{}:
		return chart.At(100 * value)
	}
	return chart.Within(100*value, [2]float64{100 * limits[0], 100 * limits[1]})
}

// groupChart shows A, B, C and all.
func groupChart(rows []namedRates) drawing {
	var labels []string
	var recall, precision []chart.Point
	for _, r := range rows {
		labels = append(labels, "group "+r.Name)
		recall = append(recall, rate(r.Recall, r.Gold, &r.RecallCI))
		precision = append(precision, rate(r.Precision, r.Predicted, &r.PrecisionCI))
	}
	return rateDots("groups", "Recall and precision by group of identifiers, with 95% intervals", labels, recall, precision)
}

// classChart shows dates, names and so on.
func classChart(rows []namedRates) drawing {
	var labels []string
	var recall, precision []chart.Point
	for _, r := range rows {
		labels = append(labels, r.Name)
		recall = append(recall, rate(r.Recall, r.Gold, &r.RecallCI))
		precision = append(precision, rate(r.Precision, r.Predicted, &r.PrecisionCI))
	}
	return rateDots("classes", "Recall and precision by class, with 95% intervals", labels, recall, precision)
}

// typeChart shows the gold's types or labels, and the predicted types.
func typeChart(rows []typeRow, intervals map[string]rowIntervals) drawing {
	var labels []string
	var recall, precision []chart.Point
	for _, r := range rows {
		ci := intervals[r.Label]
		labels = append(labels, r.Label)
		recall = append(recall, rate(r.Recall(), r.Gold, &ci.recall))
		precision = append(precision, rate(r.Precision(), r.Predicted, &ci.precision))
	}
	return rateDots("types", "Recall and precision by type, with 95% intervals", labels, recall, precision)
}

// sliceChart shows subsets of the documents or of their names.
func sliceChart(id, title string, rows []score.Slice) drawing {
	var labels []string
	var recall, precision []chart.Point
	for _, r := range rows {
		labels = append(labels, r.Name)
		recall = append(recall, rate(r.Recall(), r.Gold, &r.RecallCI))
		precision = append(precision, rate(r.Precision(), r.Predicted, nil))
	}
	return rateDots(id, title, labels, recall, precision)
}

// trialChart shows the parts of the ensemble.
func trialChart(rows []trialRow) drawing {
	var labels []string
	var recall, precision []chart.Point
	for _, r := range rows {
		labels = append(labels, r.Name)
		recall = append(recall, rate(r.Recall(), r.Gold, nil))
		precision = append(precision, rate(r.Precision(), r.Predicted, nil))
	}
	return rateDots("ablation", "Members of the ensemble, each alone and each left out: group C", labels, recall, precision)
}
