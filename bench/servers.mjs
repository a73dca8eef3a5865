/** Servers of deployments, as the benchmarks of servers need them. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { probeSandbox } from '../dist/platform/sandbox/probe.js'
import { runtimeOf } from '../dist/platform/sandbox/runtime-of.js'
import { createUids } from '../dist/platform/sandbox/uids.js'

/** A plain server that says hello on `$PORT`. */
export const hello = `import { createServer } from 'node:http'
createServer((_request, response) => response.end('Hello')).listen(process.env.PORT)
`

const startCommand = 'node server.mjs'

const pauseMs = 20
const maxTries = 3_000

/**
 * The benchmark with this title, which gets the title, too; on a host without a sandbox a sentence in place
 * of its figures.
 */
export function inSandbox(title, bench) {
  return async (run) => {
    const node = await runtimeOf(process.execPath)
    const found = await probeSandbox({ root: run.directory, network: 'none', uids: createUids(), node })
    if (found) return { title, notes: [`Left out: ${found.servers}`], durations: [] }
    return bench(title, run)
  }
}

/**
 * Makes files, by their names, a deployment with a server of a project's production.
 * @param {string} [buildCommand]
 * @returns the deployment, once it is ready.
 */
export async function deployServer(svc, project, contents, buildCommand) {
  const files = Object.entries(contents).map(([path, content]) => ({ path, content }))
  const build = { start: startCommand, ...(buildCommand && { build_command: buildCommand }) }
  const { ok, answer } = await svc.call('POST', '/v1/deployments', {
    ...{ project, target: 'production', files, build },
  })
  if (!ok) throw new Error(JSON.stringify(answer))
  for (;;) {
    const { answer: now } = await svc.call('GET', `/v1/deployments/${answer.id}?wait_s=30`)
    if (now.state === 'queued' || now.state === 'building') continue
    if (now.state !== 'ready') throw new Error(JSON.stringify(now.error))
    return now
  }
}

/** The sockets of the servers that run, of a node that was started in `place`. */
export function socketsIn(place) {
  const root = join(place, 'data', 'servers', 'run')
  return readdirSync(root).map((name) => join(root, name))
}

/** Stops the servers of a project, and waits until none runs on the node. */
export async function stopServers(svc, project, place) {
  const { ok, answer } = await svc.call('POST', '/trpc/ps.restart', { project })
  if (!ok) throw new Error(JSON.stringify(answer))
  for (let tries = 0; socketsIn(place).length > 0; tries += 1) {
    if (tries === maxTries) throw new Error('A server did not stop.')
    await wait(pauseMs)
  }
}
