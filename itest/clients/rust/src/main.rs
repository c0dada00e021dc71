//! A client by tokio-postgres.

use std::env;
use std::fmt::Write;
use std::pin::pin;
use std::time::Duration;

use futures_util::future::{join_all, BoxFuture};
use futures_util::{FutureExt, TryStreamExt};
use sha2::{Digest, Sha256};
use tokio_postgres::{Client, Config, NoTls};

type Outcome = Result<(), String>;
type Case = for<'a> fn(&'a mut Client) -> BoxFuture<'a, Outcome>;

const NOTES: &str = "select note_id, patient_id::text, note from ward.note order by note_id";
const TABLE: &str = "select deid_note from deid.deidentify_all('ward.note') order by key::bigint";

const CASES: [(&str, Case); 8] = [
    ("one", |c| one(c).boxed()),
    ("batch", |c| batch(c).boxed()),
    ("error", |c| error(c).boxed()),
    ("cancel", |c| cancel(c).boxed()),
    ("pipeline", |c| pipeline(c).boxed()),
    ("cursor", |c| cursor(c).boxed()),
    ("copy", |c| copy(c).boxed()),
    ("inbox", |c| inbox(c).boxed()),
];

fn var(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// Says what went wrong, with the server's message.
fn said(error: tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(refusal) => refusal.to_string(),
        None => error.to_string(),
    }
}

/// Returns a crate with the version that is locked.
fn version(name: &str) -> String {
    let after = include_str!("../Cargo.lock").split_once(&format!("name = \"{name}\"\nversion = \"")).map_or("", |parts| parts.1);
    format!("{name} {}", after.split('"').next().unwrap_or_default())
}

fn require(holds: bool, otherwise: String) -> Outcome {
    if holds {
        Ok(())
    } else {
        Err(otherwise)
    }
}

/// Checks the texts of all notes.
fn thousand(texts: &[String]) -> Outcome {
    let mut digest = Sha256::new();
    for text in texts {
        digest.update(text.as_bytes());
        digest.update(b"\n");
    }
    let hex = digest.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    require(hex == var("CLIENTS_DIGEST"), format!("{} texts, but not those of the engine", texts.len()))
}

async fn notes(client: &Client) -> Result<Vec<(i64, String, String)>, String> {
    let rows = client.query(NOTES, &[]).await.map_err(said)?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect())
}

async fn one(client: &Client) -> Outcome {
    let note = var("CLIENTS_NOTE");
    let row = client.query_one("select deid.deidentify($1::int, $2)", &[&1i32, &note]).await.map_err(said)?;
    let text: String = row.get(0);
    require(text == var("CLIENTS_WANT"), format!("got {text:?}"))
}

async fn batch(client: &Client) -> Outcome {
    let (patients, bodies): (Vec<_>, Vec<_>) = notes(client).await?.into_iter().map(|(_, patient, note)| (patient, note)).unzip();
    let row = client.query_one("select deid_notes from deid.deidentify_batch($1, $2)", &[&patients, &bodies]).await.map_err(said)?;
    thousand(&row.get::<_, Vec<String>>(0))
}

async fn refused(client: &Client, state: &str, query: &str) -> Result<String, String> {
    let error = client.query(query, &[]).await.err().ok_or(format!("no error, not {state}"))?;
    let refusal = error.as_db_error().ok_or(error.to_string())?;
    require(refusal.code().code() == state, format!("{}, not {state}: {refusal}", refusal.code().code()))?;
    require(!format!("{refusal:?}").contains("Brackenmark"), "the error quotes the note".into())?;
    Ok(refusal.message().into())
}

async fn error(client: &Client) -> Outcome {
    refused(client, "2202E", "select deid.deidentify_batch('{1,2}', '{a}')").await?;
    refused(client, "PD001", "select deid.deidentify('999999', 'for Brackenmark')").await?;
    one(client).await
}

async fn cancel(client: &Client) -> Outcome {
    let token = client.cancel_token();
    let slow = var("CLIENTS_SLOW");
    let (message, sent) = tokio::join!(refused(client, "57014", &slow), async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        token.cancel_query(NoTls).await.map_err(said)
    });
    sent?;
    let message = message?;
    require(message.contains("user request"), message)?;
    one(client).await
}

/// Sends all questions before it waits for an answer.
async fn pipeline(client: &Client) -> Outcome {
    let all = notes(client).await?;
    let ask = client.prepare("select deid.deidentify($1::text, $2)").await.map_err(said)?;
    let ask = &ask;
    let answers = join_all(all.iter().map(|(_, patient, note)| async move { client.query_one(ask, &[patient, note]).await })).await;
    let texts = answers.into_iter().map(|row| row.map(|row| row.get(0)).map_err(said)).collect::<Result<Vec<String>, _>>()?;
    thousand(&texts)
}

async fn cursor(client: &mut Client) -> Outcome {
    let tx = client.transaction().await.map_err(said)?;
    let portal = tx.bind(TABLE, &[]).await.map_err(said)?;
    let mut texts: Vec<String> = Vec::new();
    loop {
        let rows = tx.query_portal(&portal, 100).await.map_err(said)?;
        if rows.is_empty() {
            break;
        }
        texts.extend(rows.iter().map(|row| row.get::<_, String>(0)));
    }
    tx.commit().await.map_err(said)?;
    thousand(&texts)
}

/// Reads COPY's text form; no text has any other escape than these three.
async fn copy(client: &Client) -> Outcome {
    let stream = client.copy_out(&format!("copy ({TABLE}) to stdout")).await.map_err(said)?;
    let mut stream = pin!(stream);
    let mut out = Vec::new();
    while let Some(part) = stream.try_next().await.map_err(said)? {
        out.extend_from_slice(&part);
    }
    let out = String::from_utf8(out).map_err(|error| error.to_string())?;
    let unescape = |line: &str| line.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace('\0', "\\");
    thousand(&out.lines().map(unescape).collect::<Vec<_>>())
}

async fn inbox(client: &mut Client) -> Outcome {
    let all = notes(client).await?;
    let tx = client.transaction().await.map_err(said)?;
    let put = tx.prepare("insert into deid.inbox (job, item, patient_id, note) values ('job', $1, $2, $3)").await.map_err(said)?;
    for (id, patient, note) in &all {
        tx.execute(&put, &[id, patient, note]).await.map_err(said)?;
    }
    let rows = tx.query("select deid_note from deid.outbox where job = 'job' order by item", &[]).await.map_err(said)?;
    tx.commit().await.map_err(said)?;
    thousand(&rows.iter().map(|row| row.get(0)).collect::<Vec<String>>())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut config = Config::new();
    config.host(&var("PGHOST")).port(var("PGPORT").parse()?).user(&var("PGUSER")).password(var("PGPASSWORD")).dbname(&var("PGDATABASE"));
    let (mut client, connection) = config.connect(NoTls).await?;
    tokio::spawn(connection);
    println!("version {}", version("tokio-postgres"));
    for (name, case) in CASES {
        match case(&mut client).await {
            Ok(()) => println!("pass {name}"),
            Err(why) => println!("fail {name}: {}", why.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }
    Ok(())
}
