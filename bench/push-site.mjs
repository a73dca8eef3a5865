/** From `git push` to live: a site of 1,000 files beside `svc deploy` of it, and one of them changed. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { amount } from './amount.mjs'
import { stop } from './children.mjs'
import { createDeploy, makeSite, sizeText, timed } from './deploy-site.mjs'
import { median } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const rounds = amount(7, 1)
/** What it takes until the server has been compiled, as one is that runs for a while. */
const warmUpRounds = amount(3, 0)

/** Of the time of `svc deploy`. */
const barOfAll = 1.5
const changedBarMs = 500

/** Measures both on PostgreSQL. */
export async function benchPushSite({ directory, openDatabase }) {
  const { url } = await openDatabase()
  const place = join(directory, 'push')
  const svc = await startSvc(place, url)
  await svc.call('PUT', '/v1/projects/bench', {})
  const { answer } = await svc.call('GET', '/v1/teams')
  const deploy = createDeploy(place, svc)
  const times = []
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const remote = remoteOf(svc, `${answer.data[0].slug}/round-${round + warmUpRounds}`)
    const measured = measureOnce(place, deploy, remote)
    if (round >= 0) times.push(measured)
  }
  await stop(svc.child)
  const [deployMs, firstMs, changedMs] = ['deployMs', 'firstMs', 'changedMs'].map((name) =>
    median(times.map((each) => each[name])),
  )
  return {
    title: `\`git push\`, ${sizeText}, in milliseconds`,
    notes: ['Each first push is one to a project that is not there yet, of a repository with one commit.'],
    durations: [
      { what: '`svc deploy` of all files', ms: deployMs },
      {
        what: `a first push of as many; the bar is ${barOfAll} times that`,
        ms: firstMs,
        bar: Math.round(deployMs * barOfAll),
      },
      { what: 'a push with one file changed', ms: changedMs, bar: changedBarMs },
    ],
  }
}

function remoteOf({ apiUrl, authorization }, path) {
  const [, token] = authorization.split(' ')
  return `${apiUrl.replace('//', `//bench:${token}@`)}/git/${path}.git`
}

function measureOnce(place, deploy, remote) {
  const site = join(place, 'site')
  makeSite(site)
  const deployMs = timed(deploy)
  makeSite(site)
  git(site, 'init', '--quiet', '--initial-branch=main')
  commit(site)
  const firstMs = timed(() => push(site, remote))
  fs.writeFileSync(join(site, 'folder-0/0.bin'), randomBytes(1_000))
  commit(site)
  const changedMs = timed(() => push(site, remote))
  return { deployMs, firstMs, changedMs }
}

function commit(site) {
  git(site, 'add', '--all')
  const author = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com']
  git(site, ...author, 'commit', '--quiet', '--message', 'a site')
}

function push(site, remote) {
  if (!git(site, 'push', remote, 'main').includes('remote: Live: '))
    throw new Error('The site did not become live.')
}

/** Returns what git says on standard error. */
function git(cwd, ...args) {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' }
  const said = join(cwd, '..', 'said')
  const stderr = fs.openSync(said, 'w')
  execFileSync('git', args, { cwd, env, stdio: ['ignore', 'ignore', stderr] })
  fs.closeSync(stderr)
  return fs.readFileSync(said, 'utf8')
}
