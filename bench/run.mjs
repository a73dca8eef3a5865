/**
 * Measures the program beside its peers on this machine, prints the ratios and writes them to RESULTS.md.
 * With names of benchmarks as arguments only those run, with `--part 1/2` every second one, and with
 * `--smoke` each for seconds; then nothing is written. With `--guard` four hot ways are
 * compared with what they cost when that was last written down.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isGuard, isSmoke } from './amount.mjs'
import { benchBucketDeploy, benchBucketEdge } from './bucket.mjs'
import { benchBuildBeside } from './build-beside.mjs'
import { benchCertificates } from './certificates.mjs'
import { hasCommand, stopAll, stopRunning } from './children.mjs'
import { benchCountRequests } from './count-requests.mjs'
import { benchDashboard } from './dashboard.mjs'
import { createDatabase } from './database.mjs'
import { benchDeploySite } from './deploy-site.mjs'
import { benchDns } from './dns.mjs'
import { guard, guarded } from './guard.mjs'
import { benchHandshakes, benchHttp2, benchResumed } from './https.mjs'
import { benchLargeFile } from './large-file.mjs'
import { benchManyRows } from './many-rows.mjs'
import { benchMetrics } from './metrics.mjs'
import { benchNeighbours } from './neighbours.mjs'
import { benchProcessesApi, benchProcessesEdge } from './processes.mjs'
import { missingPrograms, needed } from './programs.mjs'
import { benchPushSite } from './push-site.mjs'
import { benchReadRow } from './read-row.mjs'
import { benchReadRowJwt } from './read-row-jwt.mjs'
import { format } from './report.mjs'
import { benchSecondBuild } from './second-build.mjs'
import { benchServeFile } from './serve-file.mjs'
import { benchServerDatabase } from './server-database.mjs'
import { benchServerMemory } from './server-memory.mjs'
import { benchServerRequests, benchServerTimes } from './server-requests.mjs'
import { benchServerStart } from './server-start.mjs'
import { benchSingleCall } from './single-call.mjs'
import { benchStart } from './start.mjs'
import { benchWebhookRate, benchWebhookTimes } from './webhooks.mjs'

/** All of them take half an hour, and longer where the machine is busy otherwise. */
const maxMs = 60 * 60_000
const benches = {
  'read-row': benchReadRow,
  'read-row-jwt': benchReadRowJwt,
  'single-call': benchSingleCall,
  'serve-file': benchServeFile,
  'count-requests': benchCountRequests,
  handshakes: benchHandshakes,
  'handshakes-resumed': benchResumed,
  'serve-http2': benchHttp2,
  certificates: benchCertificates,
  'processes-edge': benchProcessesEdge,
  'processes-api': benchProcessesApi,
  'large-file': benchLargeFile,
  'many-rows': benchManyRows,
  'deploy-site': benchDeploySite,
  'push-site': benchPushSite,
  'bucket-edge': benchBucketEdge,
  'bucket-deploy': benchBucketDeploy,
  metrics: benchMetrics,
  dns: benchDns,
  'webhook-times': benchWebhookTimes,
  'webhook-rate': benchWebhookRate,
  'server-requests': benchServerRequests,
  'server-times': benchServerTimes,
  'server-start': benchServerStart,
  'server-memory': benchServerMemory,
  'server-database': benchServerDatabase,
  start: benchStart,
  'build-beside': benchBuildBeside,
  'second-build': benchSecondBuild,
  neighbours: benchNeighbours,
  dashboard: benchDashboard,
}
const results = new URL('RESULTS.md', import.meta.url)

/** What has to be undone when the run ends, however it ends. */
const undo = []
let ending

async function run(names, options) {
  checkMachine()
  if (!isGuard && !isSmoke) for (const line of missingPrograms()) console.error(line)
  const unknown = names.find((name) => !Object.hasOwn(benches, name))
  if (unknown) throw new Error(`There is no benchmark ${unknown}, but ${Object.keys(benches).join(', ')}.`)
  const directory = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  let version = ''
  let databases = 0
  async function openDatabase() {
    databases += 1
    const database = await createDatabase(databases)
    undo.push(database.drop)
    version = database.version
    return database
  }
  async function measure(name) {
    console.error(`${name}…`)
    const own = mkdtempSync(join(directory, `${name}-`))
    return benches[name]({ directory: own, openDatabase, options }).finally(stopRunning)
  }
  if (isGuard) return guard(names.length > 0 ? names : guarded, measure)
  const measured = []
  const failed = []
  for (const name of names.length > 0 ? names : partOf(Object.keys(benches), options.part)) {
    try {
      measured.push(await measure(name))
    } catch (error) {
      if (ending) throw error
      failed.push(name)
      console.error(error)
    }
  }
  const text = format(measured, { postgres: version, failed })
  if (names.length === 0 && !options.part && !isSmoke) writeFileSync(results, text)
  console.log(isSmoke ? `${measured.length} benchmarks ran.` : text)
  if (failed.length > 0) throw new Error(`${failed.join(', ')} failed, see above.`)
}

/** The first of two parts has the first name, the third, and so on. */
function partOf(names, part = '1/1') {
  const [, number, parts] = /^([1-9])\/([1-9])$/.exec(part) ?? []
  if (!(Number(number) <= Number(parts))) throw new Error(`There is no part ${part}, but 1/2 and 2/2.`)
  return names.filter((_, index) => index % Number(parts) === Number(number) - 1)
}

function checkMachine() {
  if (process.platform !== 'linux' || cpus().length < 2) {
    throw new Error('The benchmarks need Linux and two cores: one for the server, one for the load.')
  }
  for (const [command, name] of Object.entries(needed)) {
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

/**
 * Names, and what some can be told: how many rounds, how long each is, and which attack of the neighbours
 * alone.
 */
function readArguments() {
  const text = { type: 'string' }
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ rounds: text, seconds: text, only: text, part: text },
      smoke: { type: 'boolean' },
      guard: { type: 'boolean' },
    },
  })
  const { rounds, seconds, only, part } = values
  return [
    positionals,
    {
      ...(rounds && { rounds: Number(rounds) }),
      ...(seconds && { seconds: Number(seconds) }),
      ...(only && { only }),
      ...(part && { part }),
    },
  ]
}

process.on('SIGINT', () => end(130))
process.on('SIGTERM', () => end(143))
process.on('SIGHUP', () => end(129))
setTimeout(() => {
  console.error('The benchmarks took too long.')
  end(1)
}, maxMs).unref()

run(...readArguments()).then(
  () => end(0),
  (error) => {
    // Once the run is being ended, whatever breaks off is no news.
    if (!ending) console.error(error)
    end(1)
  },
)
