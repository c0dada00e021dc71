'use strict';
// knex.

const knex = require('knex');
const { version } = require('knex/package.json');
const matrix = require('./matrix');

const db = knex({ client: 'pg', connection: {}, pool: { min: 1, max: 2 } });
const rows = async (query, bindings = []) => (await db.raw(query, bindings)).rows;

async function one() {
  matrix.same((await rows('select deid.deidentify(?::int, ?)', [1, matrix.note]))[0].deidentify);
}

async function batch() {
  const all = await rows(matrix.notes);
  const lists = [all.map((row) => row.patient_id), all.map((row) => row.note)];
  matrix.thousand((await rows('select deid_notes from deid.deidentify_batch(?::text[], ?::text[])', lists))[0].deid_notes);
}

async function error() {
  await matrix.refused('2202E', () => db.raw(matrix.unequal));
  await matrix.refused('PD001', () => db.raw(matrix.stranger));
  await one();
}

// A timeout that cancels is what knex has.
async function cancel() {
  const error = await db.raw(matrix.slow).timeout(2000, { cancel: true }).then(() => null, (error) => error);
  if (error?.name !== 'KnexTimeoutError') throw error ?? new Error('it was not cancelled');
  const others = "select from pg_stat_activity where state = 'active' and query like '%generate_series%' and pid <> pg_backend_pid()";
  for (let left = 50; (await rows(others)).length > 0;) {
    if (--left === 0) throw new Error('the statement goes on');
    await matrix.pause(100);
  }
  await one();
}

async function view() {
  const found = await db.withSchema('deid').from('deidentify').where({ patient_id: '1', note: matrix.note }).first('deid_note', 'reason');
  matrix.same(found.deid_note);
}

async function inbox() {
  const all = await rows(matrix.notes);
  matrix.thousand(await db.transaction(async (trx) => {
    const items = all.map((row) => ({ job: 'job', item: row.note_id, patient_id: row.patient_id, note: row.note }));
    await trx.batchInsert('deid.inbox', items, 200);
    return trx.withSchema('deid').from('outbox').where('job', 'job').orderBy('item').pluck('deid_note');
  }));
}

matrix.report(`knex ${version}`, one, batch, error, cancel, view, inbox).finally(() => db.destroy());
