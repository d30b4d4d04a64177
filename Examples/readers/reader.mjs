#!/usr/bin/env node
// reader.mjs CACHE TIME [KIND...]: prints the entries in force at TIME (RFC 3339, UTC) of kinds that agree, by default of all.
//
// `agreeing` and `entryAt` also work in a browser and in Deno: pass a function that fetches a file from cachesyncd serve.

/**
 * The generation of a publication, and its snapshots by their kinds. `read` returns a file's text.
 *
 * On FUSE and network file systems a file that is just being replaced can seem to be missing or cut off, so that is believed
 * only after a second.
 */
export async function agreeing(read, kinds = []) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await agreeingNow(read, kinds)
    } catch (problem) {
      if (attempt > 20 || problem.isFinal) throw problem
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function agreeingNow(read, kinds) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const manifest = JSON.parse(await read("manifest.json"))
    const listed = Object.keys(manifest.files).map((name) => name.replace(/\.json$/, "")).filter((name) => name !== "day-index")
    const snapshots = {}
    for (const kind of kinds.length ? kinds.filter((kind) => listed.includes(kind)) : listed) {
      snapshots[kind] = JSON.parse(await read(`${kind}.json`))
    }
    const agrees = ([kind, snapshot]) => snapshot.generation === manifest.files[`${kind}.json`].generation
    if (Object.entries(snapshots).every(agrees)) return { generation: manifest.generation, snapshots }
  }
  throw Object.assign(new Error("the snapshots do not agree: try cachesyncd sync"), { isFinal: true })
}

/** The entry in force: the last one whose date is not later. The dates compare as texts. */
export function entryAt(snapshot, time) {
  return snapshot.entries.findLast((entry) => entry.date <= time) ?? snapshot.entries[0]
}

if (globalThis.process?.argv[1] === new URL(import.meta.url).pathname) {
  const { readFile } = await import("node:fs/promises")
  const [cache, time, ...kinds] = process.argv.slice(2)
  try {
    const { generation, snapshots } = await agreeing((name) => readFile(`${cache}/snapshots/${name}`, "utf8"), kinds)
    const entries = Object.fromEntries(Object.entries(snapshots).map(([kind, found]) => [kind, entryAt(found, time)]))
    console.log(JSON.stringify({ generation, entries }))
  } catch (problem) {
    console.error(`cannot read the snapshots in ${cache}: ${problem.message}`)
    process.exitCode = 1
  }
}
