'use strict';
// postgres.js, which sends queries ahead of their answers.

const postgres = require('postgres');
const { packages } = require('./package-lock.json');
const matrix = require('./matrix');

const { PGHOST: host, PGPORT: port, PGUSER: user, PGPASSWORD: password, PGDATABASE: database } = process.env;
const options = { host, port, user, password, database, max: 1, ssl: false };
const sql = postgres(options);

async function one() {
  const [{ deidentify }] = await sql`select deid.deidentify(${1}::int, ${matrix.note})`;
  matrix.same(deidentify);
}

async function batch() {
  const rows = await sql.unsafe(matrix.notes);
  const [patients, notes] = [rows.map((row) => row.patient_id), rows.map((row) => row.note)];
  const [{ deid_notes: texts }] = await sql`select deid_notes from deid.deidentify_batch(${patients}, ${notes})`;
  matrix.thousand(texts);
}

async function error() {
  await matrix.refused('2202E', () => sql.unsafe(matrix.unequal));
  await matrix.refused('PD001', () => sql.unsafe(matrix.stranger));
  await one();
}

async function cancel() {
  const query = sql.unsafe(matrix.slow);
  const refused = matrix.refused('57014', () => query.execute());
  await matrix.pause(2000);
  query.cancel();
  const { message } = await refused;
  if (!message.includes('user request')) throw new Error(message);
  await one();
}

async function pipeline() {
  const rows = await sql.unsafe(matrix.notes);
  const ask = (row) => sql`select deid.deidentify(${row.patient_id}::text, ${row.note})`;
  matrix.thousand((await Promise.all(rows.map(ask))).map(([{ deidentify }]) => deidentify));
}

async function cursor() {
  const texts = [];
  for await (const rows of sql.unsafe(matrix.table).cursor(100)) texts.push(...rows.map((row) => row.deid_note));
  matrix.thousand(texts);
}

// A connection whose COPY filled the stream's buffer at its end stays paused in 3.4.9, whatever
// the table: it is not used again.
async function copy() {
  const query = `select to_json(deid_note) from (${matrix.table}) t`;
  const own = postgres(options);
  const stream = await own.unsafe(`copy (${query}) to stdout (format csv, quote e'\\x01')`).readable();
  let out = '';
  stream.setEncoding('utf8');
  for await (const part of stream) out += part;
  await own.end({ timeout: 0 });
  matrix.thousand(out.trimEnd().split('\n').map((line) => JSON.parse(line.replaceAll('\x01', ''))));
}

async function inbox() {
  matrix.thousand(await sql.begin(async (sql) => {
    const all = await sql.unsafe(matrix.notes);
    const rows = all.map((row) => ({ job: 'job', item: row.note_id, patient_id: row.patient_id, note: row.note }));
    await sql`insert into deid.inbox ${sql(rows)}`;
    return (await sql.unsafe(matrix.outbox)).map((row) => row.deid_note);
  }));
}

const { version } = packages['node_modules/postgres'];
matrix.report(`postgres ${version}`, one, batch, error, cancel, pipeline, cursor, copy, inbox).finally(() => sql.end());
