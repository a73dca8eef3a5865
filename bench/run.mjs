/** Measures the program beside its peers on this machine, prints the ratios and writes them to RESULTS.md. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasCommand, stopAll } from './children.mjs'
import { createDatabase } from './database.mjs'
import { benchReadRow } from './read-row.mjs'
import { format } from './report.mjs'
import { benchServeFile } from './serve-file.mjs'

const maxMs = 5 * 60_000
const results = new URL('RESULTS.md', import.meta.url)

/** What has to be undone when the run ends, however it ends. */
const undo = []
let ending

async function run() {
  checkMachine()
  const directory = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  const measured = []
  let version = ''
  for (const bench of [benchReadRow, benchServeFile]) {
    const database = await createDatabase(measured.length)
    undo.push(database.drop)
    version = database.version
    measured.push(await bench({ directory, database }))
  }
  const text = format(measured, version)
  writeFileSync(results, text)
  console.log(text)
}

function checkMachine() {
  if (process.platform !== 'linux' || cpus().length < 2) {
    throw new Error('The benchmarks need Linux and two cores: one for the server, one for the load.')
  }
  const packages = { wrk: 'wrk', taskset: 'util-linux' }
  for (const [command, name] of Object.entries(packages)) {
    if (!hasCommand(command)) throw new Error(`${command} is missing. On Debian: apt install ${name}`)
  }
}

function end(code) {
  ending ??= (async () => {
    undo.push(stopAll)
    for (const each of undo.reverse()) {
      try {
        await each()
      } catch (error) {
        console.error(error)
      }
    }
    process.exit(code)
  })()
}

process.on('SIGINT', () => end(130))
process.on('SIGTERM', () => end(143))
process.on('SIGHUP', () => end(129))
setTimeout(() => {
  console.error('The benchmarks took too long.')
  end(1)
}, maxMs).unref()

run().then(
  () => end(0),
  (error) => {
    // Once the run is being ended, whatever breaks off is no news.
    if (!ending) console.error(error)
    end(1)
  },
)
