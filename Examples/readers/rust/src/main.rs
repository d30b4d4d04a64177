//! reader CACHE TIME [KIND...]: prints the entries in force at TIME (RFC 3339, UTC) of kinds that agree, by default of all.

use serde_json::{json, Map, Value};
use std::{env, error::Error, fs, path::Path, process::ExitCode, thread, time::Duration};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn read(cache: &str, name: &str) -> Result<Value> {
    Ok(serde_json::from_slice(&fs::read(Path::new(cache).join("snapshots").join(name))?)?)
}

fn generation(value: &Value) -> Result<i64> {
    value["generation"].as_i64().ok_or_else(|| "no generation".into())
}

const CHANGING: &str = "they do not agree: try cachesyncd sync";

type Publication = (i64, Vec<(String, Value)>);

/// The generation of a publication, and its snapshots by their kinds. On FUSE and network file systems a file that is just being
/// replaced can seem to be missing or cut off, so that is believed only after a second.
fn agreeing(cache: &str, kinds: &[String]) -> Result<Publication> {
    for _ in 0..20 {
        match agreeing_now(cache, kinds) {
            Err(problem) if problem.to_string() != CHANGING && Path::new(cache).join("snapshots").is_dir() => {
                thread::sleep(Duration::from_millis(50))
            }
            answer => return answer,
        }
    }
    agreeing_now(cache, kinds)
}

fn agreeing_now(cache: &str, kinds: &[String]) -> Result<Publication> {
    for _ in 0..100 {
        let manifest = read(cache, "manifest.json")?;
        let files = manifest["files"].as_object().ok_or("no files in the manifest")?;
        let (mut found, mut agrees) = (Vec::new(), true);
        for (name, file) in files {
            let kind = name.trim_end_matches(".json").to_string();
            if kind == "day-index" || !kinds.is_empty() && !kinds.contains(&kind) {
                continue;
            }
            let snapshot = read(cache, name)?;
            agrees &= generation(&snapshot)? == generation(file)?;
            found.push((kind, snapshot));
        }
        if agrees {
            return Ok((generation(&manifest)?, found));
        }
    }
    Err(CHANGING.into())
}

/// The entry in force: the last one whose date is not later, or else the first. The dates compare as texts.
fn in_force<'a>(snapshot: &'a Value, time: &str) -> Option<&'a Value> {
    let entries = snapshot["entries"].as_array()?;
    let past = |entry: &&Value| entry["date"].as_str().map_or(false, |date| date <= time);
    entries.iter().rev().find(past).or(entries.first())
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let (cache, time, kinds) = match words.as_slice() {
        [cache, time, kinds @ ..] => (cache, time, kinds),
        _ => {
            eprintln!("usage: reader CACHE TIME [KIND...]");
            return ExitCode::from(64);
        }
    };
    match agreeing(cache, kinds) {
        Ok((generation, snapshots)) => {
            let entries: Map<String, Value> =
                snapshots.iter().map(|(kind, snapshot)| (kind.clone(), json!(in_force(snapshot, time)))).collect();
            println!("{}", json!({ "generation": generation, "entries": entries }));
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("cannot read the snapshots in {cache}: {problem}");
            ExitCode::FAILURE
        }
    }
}
