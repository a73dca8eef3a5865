/** What a build that burns all the processor time it gets does to the API of the same node. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { amount } from './amount.mjs'
import { openConnection } from './ask.mjs'
import { hasCommand, moveToLoadCores, stop } from './children.mjs'
import { median } from './rounds.mjs'
import { startSvc } from './svc.mjs'

const rounds = amount(5, 1)
const questions = amount(3_000, 20)
const warmUpQuestions = amount(5_000, 20)

/** More processes than there are cores, on the server's own core: a build inherits that. */
const burn = 'for i in 1 2 3 4; do (while :; do :; done) & done; echo burning; wait'

/** Times of a `GET` one after another, without a build and beside one, by turns. */
export async function benchBuildBeside({ directory, openDatabase }) {
  if (!hasCommand('bwrap')) throw new Error('bwrap is missing. On Debian: apt install bubblewrap')
  const database = await openDatabase()
  const svc = await startSvc(join(directory, 'build-beside'), database.url)
  await svc.call('PUT', '/v1/projects/web', {})
  moveToLoadCores(process.pid)
  await database.moveAway()
  const { ask, close } = await openConnection(svc.apiPort)
  const headers = { host: 'localhost', authorization: svc.authorization }

  async function times(count) {
    const taken = []
    for (let asked = 0; asked < count; asked += 1) taken.push((await ask('/v1/projects/web', headers)).ms)
    return taken.sort((a, b) => a - b)
  }

  await times(warmUpQuestions)
  const alone = []
  const beside = []
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await times(questions))
    const id = await startBuild(svc)
    beside.push(await times(questions))
    await svc.call('DELETE', `/v1/deployments/${id}`)
    await untilState(svc, id, 'canceled')
  }
  close()
  await stop(svc.child)
  const at = (part) => (taken) => taken[Math.floor(taken.length * part)]
  const row = (what, part, bar) => ({
    what,
    few: median(alone.map(at(part))),
    many: median(beside.map(at(part))),
    ...(bar && { bar }),
  })
  return {
    title: '`GET` of a project while a build burns on the same core, PostgreSQL',
    sides: ['without', 'beside the build'],
    notes: [],
    latencies: [row('median', 0.5), row('99 %', 0.99, 2)],
  }
}

async function startBuild(svc) {
  const { answer } = await svc.call('POST', '/v1/deployments', {
    project: 'web',
    files: [{ path: 'index.html', content: 'hello' }],
    build: { build_command: burn },
  })
  await untilState(svc, answer.id, 'building')
  // Until its commands run.
  await wait(1_000)
  return answer.id
}

async function untilState(svc, id, state) {
  for (let tries = 0; tries < 200; tries += 1) {
    const { answer } = await svc.call('GET', `/v1/deployments/${id}`)
    if (answer.state === state) return
    if (answer.ended_ms !== null) throw new Error(`The build ended: ${answer.error?.message ?? answer.state}`)
    await wait(50)
  }
  throw new Error(`The build never became ${state}.`)
}
