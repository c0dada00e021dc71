'use strict';
// node-postgres.

const { Client } = require('pg');
const Cursor = require('pg-cursor');
const { version } = require('pg/package.json');
const matrix = require('./matrix');

const client = new Client();
const column = async (query, values) => (await client.query({ text: query, values, rowMode: 'array' })).rows.map(([text]) => text);

async function one() {
  matrix.same((await column('select deid.deidentify($1, $2)', [1, matrix.note]))[0]);
}

async function batch() {
  const { rows } = await client.query(matrix.notes);
  const lists = [rows.map((row) => row.patient_id), rows.map((row) => row.note)];
  matrix.thousand((await column('select deid_notes from deid.deidentify_batch($1, $2)', lists))[0]);
}

async function error() {
  const { hint } = await matrix.refused('2202E', () => client.query(matrix.unequal));
  if (!hint.includes('array_agg')) throw new Error(`hint ${hint}`);
  await matrix.refused('PD001', () => client.query(matrix.stranger));
  await one();
}

async function cancel() {
  const refused = matrix.refused('57014', () => client.query(matrix.slow));
  await matrix.pause(2000);
  const other = new Client();
  await other.connect();
  await other.query('select pg_cancel_backend($1)', [client.processID]);
  await other.end();
  const { message } = await refused;
  if (!message.includes('user request')) throw new Error(message);
  await one();
}

async function prepared() {
  const { rows } = await client.query(matrix.notes);
  const text = 'select deid.deidentify($1::text, $2) as deid_note';
  const ask = (row) => client.query({ name: 'ask', text, values: [row.patient_id, row.note] });
  matrix.thousand((await Promise.all(rows.map(ask))).map((result) => result.rows[0].deid_note));
}

async function cursor() {
  const open = client.query(new Cursor(matrix.table));
  const texts = [];
  for (let rows; (rows = await open.read(100)).length > 0;) texts.push(...rows.map((row) => row.deid_note));
  await open.close();
  matrix.thousand(texts);
}

async function inbox() {
  const put = "insert into deid.inbox (job, item, patient_id, note) values ('job', $1, $2, $3)";
  await client.query('begin');
  for (const row of (await client.query(matrix.notes)).rows) {
    await client.query(put, [row.note_id, row.patient_id, row.note]);
  }
  const texts = await column(matrix.outbox);
  await client.query('commit');
  matrix.thousand(texts);
}

client.connect()
  .then(() => matrix.report(`pg ${version}`, one, batch, error, cancel, prepared, cursor, inbox))
  .finally(() => client.end());
