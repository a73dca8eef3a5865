/** From `svc deploy` to live: a site of 1,000 files, and the same with one of them changed. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { amount } from './amount.mjs'
import { stop } from './children.mjs'
import { median } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const command = fileURLToPath(new URL('../dist/svc.cjs', import.meta.url))

const rounds = amount(7, 1)
/** What it takes until the server has been compiled, as one is that runs for a while. */
const warmUpRounds = amount(3, 0)

const folders = 20
const filesPerFolder = 50
const fileBytes = 20_000

export const sizeText = '1,000 files, 20 MB'

/** Measures both on each database, beside what it takes to copy the same files and sync each of them. */
export async function benchDeploySite({ directory, openDatabase }) {
  const latencies = []
  for (const engine of ['PostgreSQL', 'PGlite']) {
    const url = engine === 'PostgreSQL' ? (await openDatabase()).url : undefined
    const place = join(directory, `deploy-${engine}`)
    const svc = await startSvc(place, url)
    await svc.call('PUT', '/v1/projects/bench', {})
    const deploy = createDeploy(place, svc)
    const times = []
    for (let round = -warmUpRounds; round < rounds; round += 1) {
      const measured = measureOnce(place, deploy)
      if (round >= 0) times.push(measured)
    }
    await stop(svc.child)
    const [copy, first, changed] = ['copyMs', 'firstMs', 'changedMs'].map((name) =>
      median(times.map((each) => each[name])),
    )
    latencies.push(
      { what: `${engine}: all files, beside a synced copy of them`, few: copy, many: first, bar: 3 },
      { what: `${engine}: one changed, beside all files`, few: first, many: changed, bar: 0.1 },
      { what: `${engine}: one changed, beside a synced copy of all`, few: copy, many: changed },
    )
  }
  return {
    title: `\`svc deploy\`, ${sizeText}`,
    sides: ['beside', 'until it is live'],
    notes: [
      'The files are binary, so that no compression of what was deployed before goes on meanwhile. ' +
        'What `svc` needs to start is included.',
    ],
    latencies,
  }
}

function measureOnce(place, deploy) {
  const site = join(place, 'site')
  makeSite(site)
  const copyMs = timed(() => copySynced(site, join(place, 'copy')))
  const firstMs = timed(deploy)
  fs.writeFileSync(join(site, 'folder-0/0.bin'), randomBytes(fileBytes))
  const changedMs = timed(deploy)
  return { copyMs, firstMs, changedMs }
}

/** Deploys the folder `site` in `place` with the command, and waits until it is live. */
export function createDeploy(place, svc, { project = 'bench', count = folders * filesPerFolder } = {}) {
  const token = svc.authorization.split(' ')[1]
  const env = { PATH: process.env.PATH, HOME: place, SVC_URL: svc.apiUrl, SVC_TOKEN: token }
  const args = [command, 'deploy', join(place, 'site'), '--project', project, '--prod', '--json']
  return () => {
    const output = execFileSync(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const { live, files } = JSON.parse(output.toString())
    if (!live || files !== count) throw new Error('The site did not become live.')
  }
}

/** How many milliseconds `work` takes. */
export function timed(work) {
  const start = performance.now()
  work()
  return performance.now() - start
}

/** Makes a folder of files with other bytes each time. */
export function makeSite(site) {
  fs.rmSync(site, { recursive: true, force: true })
  for (let folder = 0; folder < folders; folder += 1) {
    fs.mkdirSync(join(site, `folder-${folder}`), { recursive: true })
    for (let file = 0; file < filesPerFolder; file += 1) {
      fs.writeFileSync(join(site, `folder-${folder}`, `${file}.bin`), randomBytes(fileBytes))
    }
  }
}

function copySynced(from, to) {
  fs.rmSync(to, { recursive: true, force: true })
  for (const folder of fs.readdirSync(from)) {
    fs.mkdirSync(join(to, folder), { recursive: true })
    for (const file of fs.readdirSync(join(from, folder))) {
      const copy = join(to, folder, file)
      fs.copyFileSync(join(from, folder, file), copy)
      const handle = fs.openSync(copy, 'r+')
      fs.fsyncSync(handle)
      fs.closeSync(handle)
    }
  }
}
