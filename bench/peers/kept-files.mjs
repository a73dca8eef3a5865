/**
 * Fetches the files of a server as a node does at first, and copies them, by turns; prints how long each
 * took. Arguments: database, directory of blobs, an empty directory, the manifest, and how often.
 */
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { inParallel } from '../../dist/lib/async/in-parallel.js'
import { openKeptFiles } from '../../dist/platform/servers/kept-files/kept-files.js'
import { createFileBlobStore } from '../../dist/stores/blobs/file-store.js'
import { createDiskReserve } from '../../dist/stores/data-dir/disk-reserve.js'
import { openPostgres } from '../../dist/stores/db/open-database.js'
import { createStore } from '../../dist/stores/db/store.js'

const [databaseUrl, blobDirectory, place, manifest, pairs] = process.argv.slice(2)
const { db } = await createStore(openPostgres(databaseUrl))
const blobs = await createFileBlobStore(blobDirectory)
const disk = createDiskReserve(place)
const parallelFiles = 16

const first = await fetchInto('first')
const paths = await filesIn(first.directory)
const times = []
for (let pair = 0; pair < Number(pairs); pair += 1) {
  const { ms: fetchMs } = await fetchInto(`fetched-${pair}`)
  const copyMs = await copyInto(`copied-${pair}`)
  times.push({ fetchMs, copyMs })
  await Promise.all(
    ['fetched', 'copied'].map((name) => rm(join(place, `${name}-${pair}`), { recursive: true })),
  )
}
process.stdout.write(JSON.stringify(times), () => process.exit())

async function fetchInto(name) {
  const root = join(place, name)
  await mkdir(root)
  const kept = await openKeptFiles({ ...{ db, blobs, root, disk }, maxBytes: 1e12, nowMs: Date.now })
  const startMs = performance.now()
  const { directory } = await kept.take(Number(manifest), new AbortController().signal)
  return { directory, ms: performance.now() - startMs }
}

async function filesIn(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath ?? entry.path, entry.name)))
}

async function copyInto(name) {
  const root = join(place, name)
  const startMs = performance.now()
  await mkdir(root)
  for (const each of new Set(paths.map(dirname))) await mkdir(join(root, each), { recursive: true })
  await inParallel(paths, parallelFiles, (path) => copyFile(join(first.directory, path), join(root, path)))
  return performance.now() - startMs
}
