/** The first answer of a server that was stopped, and the first time that a node gets its files. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { amount } from './amount.mjs'
import { openConnection } from './ask.mjs'
import { moveToLoadCores, readAll, readUntil, serverCores, start, stop } from './children.mjs'
import { median } from './rounds.mjs'
import { deployServer, hello, inSandbox, stopServers } from './servers.mjs'
import { startSvc } from './svc.mjs'

const peer = (name) => fileURLToPath(new URL(`peers/${name}.mjs`, import.meta.url))

const pairs = amount(8, 1)
const warmUps = amount(2, 0)

const folders = amount(24, 2)
const filesPerFolder = amount(50, 5)
const fileBytes = 25_000

/** Run by a build, since its results are kept for the server. */
const makeFiles = `import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
for (let folder = 0; folder < ${folders}; folder += 1) {
  mkdirSync(\`folder-\${folder}\`)
  for (let file = 0; file < ${filesPerFolder}; file += 1)
    writeFileSync(\`folder-\${folder}/\${file}.bin\`, randomBytes(${fileBytes}))
}
`

const title = 'a server that did not run'

/** Measures both by turns: beside a start by hand in the same sandbox, and beside copies of the files. */
export const benchServerStart = inSandbox(title, async (_title, { directory, openDatabase }) => {
  const place = join(directory, 'svc')
  const database = await openDatabase()
  const svc = await startSvc(place, database.url)
  moveToLoadCores(process.pid)
  const starts = await measureStarts(directory, place, svc)
  const files = await measureFiles(directory, place, { svc, database })
  await stop(svc.child)
  const of = (times, name) => median(times.map((each) => each[name]))
  return {
    title,
    sides: ['beside', 'svc'],
    notes: [
      'By hand the same program, its files and its socket bound, gets the same options of bubblewrap, ' +
        'which are made beforehand, and no control group.',
    ],
    latencies: [
      {
        what: 'its first answer, beside that of one started by hand',
        few: of(starts, 'handMs'),
        many: of(starts, 'edgeMs'),
        bar: 1.3,
      },
      {
        what: `the first fetch of its files, ${folders * filesPerFolder}, beside copies on the same disk`,
        few: of(files, 'copyMs'),
        many: of(files, 'fetchMs'),
        bar: 2,
      },
    ],
  }
})

async function measureStarts(directory, place, svc) {
  await svc.call('PUT', '/v1/projects/bench', {})
  await deployServer(svc, 'bench', { 'server.mjs': hello })
  const files = join(directory, 'files')
  mkdirSync(files, { mode: 0o755 })
  writeFileSync(join(files, 'server.mjs'), hello)
  const byHand = start(serverCores, [process.execPath, peer('sandbox-by-hand'), files, directory])
  const port = Number(await readUntil(byHand, /\d+\n/))
  await answerMs(svc.edgePort)
  const times = []
  for (let pair = -warmUps; pair < pairs; pair += 1) {
    await stopServers(svc, 'bench', place)
    const edge = () => answerMs(svc.edgePort)
    const hand = () => answerMs(port)
    // Who comes first changes, so that nobody always follows the same one.
    const [first, second] = pair % 2 === 0 ? [edge, hand] : [hand, edge]
    const taken = [await first(), await second()]
    const [edgeMs, handMs] = pair % 2 === 0 ? taken : taken.reverse()
    if (pair >= 0) times.push({ edgeMs, handMs })
    await answerMs(port, '/end')
  }
  await stop(byHand)
  return times
}

/** Milliseconds until all of the answer is there, on a connection that is open before. */
async function answerMs(port, path = '/') {
  const { ask, close } = await openConnection(port)
  try {
    return (await ask(path, { host: 'bench.localhost' })).ms
  } finally {
    close()
  }
}

async function measureFiles(directory, place, { svc, database }) {
  await svc.call('PUT', '/v1/projects/many', {})
  const contents = { 'server.mjs': hello, 'make-files.mjs': makeFiles }
  const { id } = await deployServer(svc, 'many', contents, 'node make-files.mjs')
  const manifest = await manifestOf(database.url, id)
  const blobs = join(place, 'data', 'blobs')
  const fetched = join(directory, 'fetched')
  mkdirSync(fetched)
  const command = [
    process.execPath,
    peer('kept-files'),
    database.url,
    blobs,
    fetched,
    manifest,
    String(pairs),
  ]
  return JSON.parse(await readAll(start(serverCores, command)))
}

async function manifestOf(url, id) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const [row] = await sql`select server_manifest_id from deployments where id = ${id}`
    return String(row.server_manifest_id)
  } finally {
    await sql.end()
  }
}
