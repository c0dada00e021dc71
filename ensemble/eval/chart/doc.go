// Package chart draws the results of an evaluation as SVG for embedding in an HTML page: rates
// with their intervals as dots, counts as columns. It uses gonum.org/v1/plot.
//
// A chart refers to nothing outside of itself: no font, image, script or address. Its colours are
// CSS variables, so that the page defines them for light and dark mode and for print:
//
//	--ink     text and axes
//	--grid    lines behind the data
//	--mark-a  the first series, discs
//	--mark-b  the second series, squares
//	--mark-c  the third series, triangles
//
// Series also differ by shape, so that they do not depend on colour vision. Screen readers read
// title and description.
package chart
