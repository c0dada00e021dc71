// Package address finds addresses: a street with its number, boxes of the post, and postal codes with the town and
// state before them.
//
//   - A number, one to five words in capitals and a type of street are a street: 1234 N. Main St, Apt 4B. A type that
//     is another word too needs an address that ends or goes on there. Spanish and French types come first.
//   - A box of the post is "PO Box" and a number.
//   - A postal code is five digits behind a state of the United States, or nine (ZIP+4), four behind one of
//     Australia, a British code (BS 7666) or a Canadian one by its form, or what the word "zip" announces. The state
//     is found with it, and the words in capitals between a comma and the state as the town.
//
// Streets without a type and towns without a code are left to the members that learn.
package address
