// Package html reads and writes HTML as browsers do, by the HTML Standard of the WHATWG (https://html.spec.whatwg.org/).
//
// Text is what is between tags, with character references; white space and blocks are shown as innerText of the HTML Standard
// does it. Inline tags, soft hyphens and wbr cut no words; a space that does not break is a space. Tags of elements that
// elements.txt names are kept, without attributes but for those of layout in attributes.txt. Dropped: comments, scripts, styles,
// the title and metadata of the head, images and their alternative text, title, href and all other attributes, values of fields,
// what is hidden (the attribute hidden; display:none and the like in a style attribute), what is shown only instead of something
// else (noscript, object), tags of unknown elements. Broken HTML is read as browsers read it. An error is a tag, a comment or a
// hidden element without an end, a NUL byte, xmp and plaintext, nesting deeper than 1024. The document is UTF-8; a declaration
// of another encoding is written anew.
package html
