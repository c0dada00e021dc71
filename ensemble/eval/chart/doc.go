// Package chart draws what an evaluation measured as SVG that stands inside of an HTML
// page: rates with their intervals as dots, counts as columns. The drawing is
// gonum.org/v1/plot's.
//
// A chart names nothing outside of itself: no font, image, script or address. Its
// colours are CSS variables, so that the page decides how it looks on light ground, on
// dark ground and in print:
//
//	--ink     text and axes
//	--grid    lines behind the data
//	--mark-a  the first series, discs
//	--mark-b  the second series, squares
//	--mark-c  the third series, triangles
//
// Series differ by their shape too, so that no reader has to tell colours apart. Title
// and description are read out by screen readers.
package chart
