/** A file of 100 MB from the edge, and one that is too large to be kept in memory, beside nginx. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { amount } from './amount.mjs'
import { loadCores, readAll, start, stop } from './children.mjs'
import { startNginx } from './peers/nginx.mjs'
import { compare, measure } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const reader = fileURLToPath(new URL('peers/read-all.mjs', import.meta.url))
const connections = 4

const megabyte = 1_000_000
const files = [
  { project: 'kept', name: 'a 100 MB file', size: amount(100, 1) * megabyte },
  { project: 'read', name: 'a 300 MB file', size: amount(300, 3) * megabyte },
]

/** Measures both with the same bytes, which are in the system's cache. */
export async function benchLargeFile({ directory, openDatabase }) {
  const own = join(directory, 'large-file')
  const root = join(own, 'root')
  mkdirSync(root, { recursive: true })
  const database = await openDatabase()
  const svc = await startSvc(join(own, 'svc'), database.url, { SVC_MAX_FILE_BYTES: String(300 * megabyte) })
  const nginx = await startNginx(own, root)
  const targets = []
  for (const { project, name, size } of files) {
    const bytes = randomBytes(size)
    writeFileSync(join(root, `${project}.bin`), bytes)
    await svc.call('PUT', `/v1/projects/${project}`)
    await svc.deploy(project, `${project}.bin`, bytes)
    // In another case some clients would add their own.
    const headers = { Host: `${project}.localhost` }
    const servers = [{ name: `svc, ${name}`, child: svc.child, port: svc.edgePort }]
    if (nginx) servers.push({ name: `nginx, ${name}`, child: nginx.child, port: nginx.port })
    for (const { port, ...server } of servers) {
      targets.push({ ...server, url: `http://127.0.0.1:${port}/${project}.bin`, headers })
    }
  }

  const measured = await measure(targets, { load: readMegabytes, warmUpRequests: 2_000 })
  await Promise.all([svc.child, ...(nginx ? [nginx.child] : [])].map(stop))
  const [kept, keptPeer, read, readPeer] = measured
  return {
    title: 'a large file from the edge',
    unit: 'MB',
    notes: nginx ? [] : ['nginx is not installed here.'],
    measured,
    comparisons: nginx
      ? [
          { to: keptPeer.name, bar: 0.9, ...compare(kept, keptPeer) },
          { to: readPeer.name, ...compare(read, readPeer) },
        ]
      : [],
  }
}

/** Reads the file again and again for `seconds`; counts megabytes. */
async function readMegabytes({ url, headers }, seconds) {
  const command = [
    process.execPath,
    reader,
    url,
    JSON.stringify(headers),
    String(connections),
    String(seconds),
  ]
  const { bytes, seconds: took } = JSON.parse(await readAll(start(loadCores, command)))
  return { count: bytes / megabyte, rate: bytes / megabyte / took }
}
