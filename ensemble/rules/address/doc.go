// Package address finds addresses: a street with its number, boxes of the post, and postal
// codes with the town and state before them.
//
//   - A number, one to five words and a type of street are a street. A type that is another
//     word too needs capitals, and an address that ends, goes on or was announced there.
//   - A number and words in capitals are a street if a part of a house, or a town with its
//     postal code, follows.
//   - A box of the post is "PO Box" or a rural route with a number.
//   - A postal code is five digits behind a state, nine digits as "02139-4307", a British or
//     Canadian code by its form, or what the word "zip" announces. The state is found with it,
//     and the words in capitals between a comma and the state as the town.
package address
