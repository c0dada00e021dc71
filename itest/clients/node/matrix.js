'use strict';
// What the Node.js clients have in common: the cases, and how a result is reported.

const assert = require('node:assert');
const { createHash } = require('node:crypto');

const { CLIENTS_NOTE: note, CLIENTS_WANT: want, CLIENTS_DIGEST: digest, CLIENTS_SLOW: slow } = process.env;

module.exports = {
  note,
  slow,
  notes: 'select note_id::text, patient_id::text, note from ward.note order by note.note_id',
  table: "select deid_note from deid.deidentify_all('ward.note') order by key::bigint",
  outbox: "select deid_note from deid.outbox where job = 'job' order by item",
  unequal: "select deid.deidentify_batch('{1,2}', '{a}')",
  stranger: "select deid.deidentify('999999', 'for Brackenmark')",

  // same checks the text of the one note.
  same: (text) => assert.strictEqual(text, want),

  // thousand checks the texts of all notes.
  thousand: (texts) => {
    const hash = createHash('sha256').update(texts.map((text) => text + '\n').join(''));
    assert.strictEqual(hash.digest('hex'), digest, `${texts.length} texts, but not those of the engine`);
  },

  // refused checks that a query fails with a code, and that the server does not quote the note.
  refused: async (code, query) => {
    const error = await query().then(() => assert.fail(`no error, not ${code}`), (error) => error);
    assert.strictEqual(error.code, code, `${error.code}, not ${code}: ${error.message}`);
    assert.ok(!`${error.detail} ${error.hint} ${error.where}`.includes('Brackenmark'), 'the error quotes the note');
    return error;
  },

  pause: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),

  // report runs functions, which are named as their features, and prints a line for each.
  report: async (version, ...cases) => {
    console.log(`version ${version}`);
    for (const feature of cases) {
      try {
        await feature();
        console.log(`pass ${feature.name}`);
      } catch (error) {
        console.log(`fail ${feature.name}: ${String(error.message || error).replace(/\s+/g, ' ').slice(0, 300)}`);
      }
    }
  },
};
