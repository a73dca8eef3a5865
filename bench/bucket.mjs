/**
 * Files in a bucket: an edge that reads them through its cache beside one with files, and deploying beside
 * plain uploads.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { amount } from './amount.mjs'
import { cpuSeconds, loadCores, readAll, readUntil, start, stop } from './children.mjs'
import { createDeploy, makeSite, sizeText, timed } from './deploy-site.mjs'
import { compare, measure, median } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const peer = (name) => fileURLToPath(new URL(`peers/${name}.mjs`, import.meta.url))

const fileBytes = 10_000

/** More than an edge keeps in memory, and few enough a site for one manifest. */
const sites = amount(5, 1)
const filesPerSite = amount(1_600, 10)

/** Measures one file, which both have in memory, and so many that each is read from the disk. */
export async function benchBucketEdge({ directory, openDatabase }) {
  const own = join(directory, 'bucket-edge')
  mkdirSync(own)
  const s3 = await startS3(own)
  const script = join(own, 'all.lua')
  writeFileSync(script, cycle())
  const edges = []
  for (const [name, settings] of [
    ['a bucket', s3.settings],
    ['files', {}],
  ]) {
    const place = join(own, name.replace(' ', '-'))
    const svc = await startSvc(place, (await openDatabase()).url, settings)
    await fill(place, svc)
    edges.push({ name, svc })
  }
  const targets = edges.flatMap(({ name, svc: { child, edgePort } }) => {
    const url = `http://127.0.0.1:${edgePort}/0.bin`
    // In another case wrk would add its own.
    const headers = { Host: 'bench-0.localhost' }
    return [
      { name: `${name}, one file`, child, url, headers },
      { name: `${name}, many files`, child, url, headers: {}, script: script },
    ]
  })
  const measured = await measure(targets)
  await Promise.all([s3.child, ...edges.map(({ svc }) => svc.child)].map(stop))
  const [one, many, oneOfFiles, manyOfFiles] = measured
  return {
    title: 'a 10 kB file from an edge whose files are in a bucket',
    notes: [
      `The one file is in the memory of both. Of the many, ${sites * filesPerSite} by turns, ` +
        'each is read from the disk: from the cache, or from the store of files.',
    ],
    measured,
    comparisons: [
      { to: oneOfFiles.name, bar: 0.95, ...compare(one, oneOfFiles) },
      { to: manyOfFiles.name, bar: 0.95, ...compare(many, manyOfFiles) },
    ],
  }
}

/** Deploys sites of binary files; the first visits, of the warm-up, fill memory and cache. */
async function fill(place, svc) {
  const folder = join(place, 'site')
  for (let site = 0; site < sites; site += 1) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    for (let file = 0; file < filesPerSite; file += 1)
      writeFileSync(join(folder, `${file}.bin`), randomBytes(fileBytes))
    await svc.call('PUT', `/v1/projects/bench-${site}`, {})
    createDeploy(place, svc, { project: `bench-${site}`, count: filesPerSite })()
  }
}

/** For wrk: all files by turns, so that the one that was least recently used is next. */
function cycle() {
  return `local at = -1
request = function()
  at = (at + 1) % ${sites * filesPerSite}
  local host = "bench-" .. (at % ${sites}) .. ".localhost"
  return wrk.format("GET", "/" .. math.floor(at / ${sites}) .. ".bin", { Host = host })
end
`
}

const rounds = amount(7, 1)
const warmUpRounds = amount(3, 0)

/**
 * Measures `svc deploy` beside uploads of the same files by the client of the program, to the same service.
 */
export async function benchBucketDeploy({ directory, openDatabase }) {
  const own = join(directory, 'bucket-deploy')
  mkdirSync(own)
  const s3 = await startS3(own)
  const svc = await startSvc(own, (await openDatabase()).url, s3.settings)
  await svc.call('PUT', '/v1/projects/bench', {})
  const site = join(own, 'site')
  const deploy = createDeploy(own, svc)
  const times = []
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    makeSite(site)
    const before = cpuSeconds(s3.child)
    const plainMs = await putAll(s3.address, site, `plain-${round}/`)
    const between = cpuSeconds(s3.child)
    const deployMs = timed(deploy)
    const busyMs = { plain: (between - before) * 1_000, deploy: (cpuSeconds(s3.child) - between) * 1_000 }
    if (round >= 0) times.push({ plainMs, deployMs, busyMs })
  }
  await Promise.all([stop(svc.child), stop(s3.child)])
  const of = (pick) => median(times.map(pick))
  const [plainMs, deployMs] = [of((each) => each.plainMs), of((each) => each.deployMs)]
  const busy = [
    of(({ busyMs, plainMs }) => busyMs.plain / plainMs),
    of(({ busyMs, deployMs }) => busyMs.deploy / deployMs),
  ]
  const [plainBusy, deployBusy] = busy.map((share) => `${Math.round(share * 100)} %`)
  return {
    title: `\`svc deploy\` into a bucket, ${sizeText}`,
    sides: ['beside', 'until it is live'],
    notes: [
      `The S3 service, in a process of its own on the cores of the load, used ${plainBusy} of a core ` +
        `while it took the plain uploads, and ${deployBusy} during deployments: where that is near 100 %, ` +
        'it is what limits. What `svc` needs to start is included, what the plain upload needs is not.',
    ],
    latencies: [
      { what: 'PostgreSQL: all files, beside plain uploads of them', few: plainMs, many: deployMs, bar: 2 },
    ],
  }
}

async function putAll(address, site, prefix) {
  const command = [process.execPath, peer('put-all'), JSON.stringify(address), site, prefix]
  return Number(await readAll(start(loadCores, command)))
}

/** The service, and the settings of a node with its bucket. */
async function startS3(directory) {
  const child = start(loadCores, [process.execPath, peer('s3-server'), directory])
  const address = JSON.parse(await readUntil(child, /\}\n/))
  const { endpoint, region, bucket, credentials } = address
  const settings = {
    SVC_BLOBS: `s3://${bucket}/svc`,
    SVC_S3_ENDPOINT: new URL(endpoint).origin,
    SVC_S3_REGION: region,
    SVC_S3_ACCESS_KEY_ID: credentials.accessKeyId,
    SVC_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  }
  return { child, address, settings }
}
