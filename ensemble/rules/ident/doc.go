// Package ident finds identifiers: numbers and codes that stand for one person, account, licence, vehicle or thing.
//
//   - A label announces the code behind it (package label), if that has as many digits as the label asks for and is
//     no time, ratio, decimal or quantity.
//   - A code with a check digit that is right is what the check is for: payment cards (ISO/IEC 7812), IBANs (ISO
//     13616), vehicles (49 CFR 565.15), numbers of the Drug Enforcement Administration; and so is one with a form of
//     its own: social security numbers, Medicare numbers (CMS, Understanding the Medicare Beneficiary Identifier),
//     UUIDs (RFC 9562), numbers of pathology cases.
//   - A bare number of seven digits or more identifies something, if no unit follows, and so does a code of capitals
//     with five digits in a row.
//   - A login is what a word for logins and a colon announce.
//
// Codes that say what and not who (ICD, CPT, LOINC, NDC) are announced by their system's name or fall under none of
// these.
package ident
