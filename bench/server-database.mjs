/** What the way out of a server adds to its queries, beside the same program outside. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { amount } from './amount.mjs'
import { openConnection } from './ask.mjs'
import { moveToLoadCores, readUntil, serverCores, start, stop } from './children.mjs'
import { median } from './rounds.mjs'
import { deployServer, inSandbox } from './servers.mjs'
import { startSvc } from './svc.mjs'

const host = 'bench.localhost'
const queryTitle = 'a query of a server, one after another, in milliseconds'

const rounds = amount(6, 1)
const queries = amount(1_000, 20)
const rows = amount(30_000, 100)

/** Answers with the mean time of a query, and that of 30 MB of rows, in milliseconds. */
const source = `import { createServer } from 'node:http'
import postgres from 'postgres'
const sql = postgres(process.env.DATABASE_URL, { max: 1 })
const time = async (act) => {
  const begunMs = performance.now()
  await act()
  return performance.now() - begunMs
}
async function query() {
  for (let index = 0; index < ${queries}; index += 1) await sql\`select 1\`
}
const paths = {
  '/query': async () => (await time(query)) / ${queries},
  '/rows': () => time(() => sql\`select repeat('x', 1000) from generate_series(1, ${rows})\`),
}
createServer(async ({ url }, response) => {
  response.end(String(await paths[url]?.()))
}).listen(process.env.PORT, function () { console.log(this.address().port) })
`

/** Measures both by turns, on the same core. */
export const benchServerDatabase = inSandbox(queryTitle, async (title, { directory, openDatabase }) => {
  const [own, database] = [await openDatabase(), await openDatabase()]
  const { hostname, port, pathname, username } = new URL(database.url)
  const place = `${hostname}:${port || 5432}`
  const url = `postgres://${username || 'postgres'}@${place}${pathname}`
  const svc = await startSvc(join(directory, 'svc'), own.url, { SVC_RUNTIME_PRIVATE: `*=${place}` })
  moveToLoadCores(process.pid)
  const runtime = { network: 'tcp', ports: [Number(port || 5432)] }
  await svc.call('PUT', '/v1/projects/bench', { runtime, env: [{ key: 'DATABASE_URL', value: url }] })
  const server = join(directory, 'server.mjs')
  const code = await bundle(server)
  await deployServer(svc, 'bench', { 'server.mjs': code })
  const direct = start(serverCores, [process.execPath, server], { env: { DATABASE_URL: url, PORT: '0' } })
  const directPort = Number(await readUntil(direct, /\d+\n/))
  const [ours, theirs] = await Promise.all([svc.edgePort, directPort].map((each) => openConnection(each)))
  const ask = async ({ ask: send }, path) => Number((await send(path, { host })).content)
  const times = []
  for (let round = -1; round < rounds; round += 1) {
    const [oursMs, directMs] = [await ask(ours, '/query'), await ask(theirs, '/query')]
    const [oursRowsMs, directRowsMs] = [await ask(ours, '/rows'), await ask(theirs, '/rows')]
    // The first round warms up.
    if (round >= 0) times.push({ oursMs, directMs, oursRowsMs, directRowsMs, moreMs: oursMs - directMs })
  }
  for (const { close } of [ours, theirs]) close()
  await Promise.all([svc.child, direct].map(stop))
  const of = (name) => median(times.map((each) => each[name]))
  return {
    title,
    sides: ['outside', 'svc'],
    notes: [
      'The database is on the same machine, and the server, its way out and the peer on the same core.',
    ],
    durations: [
      { what: 'svc', ms: of('oursMs') },
      { what: 'outside', ms: of('directMs') },
      { what: 'how much more that is', ms: of('moreMs'), bar: 0.3 },
    ],
    latencies: [
      { what: '30 MB of rows, beside outside', few: of('directRowsMs'), many: of('oursRowsMs'), bar: 2.5 },
    ],
  }
})

/** One file, with the client of PostgreSQL in it. */
async function bundle(outfile) {
  const stdin = { contents: source, resolveDir: fileURLToPath(new URL('.', import.meta.url)) }
  const options = { bundle: true, platform: 'node', format: 'esm' }
  const { outputFiles } = await build({ ...options, stdin, outfile, write: false })
  const [{ text }] = outputFiles
  await writeFile(outfile, text)
  return text
}
