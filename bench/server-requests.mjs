/** What the edge adds to an application's own server, beside other proxies before the same server. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { amount } from './amount.mjs'
import { openConnection } from './ask.mjs'
import { moveToLoadCores, ownCpuSeconds, readUntil, serverCores, start, stop } from './children.mjs'
import { startCaddyBefore } from './peers/caddy.mjs'
import { startNginxBefore } from './peers/nginx.mjs'
import { compare, measure, median } from './rounds.mjs'
import { deployServer, hello, inSandbox, socketsIn } from './servers.mjs'
import { startSvc } from './svc.mjs'

const peer = fileURLToPath(new URL('peers/bare-proxy.mjs', import.meta.url))
const host = 'bench.localhost'
const connections = 20

const rateTitle = `a request to a server, ${connections} connections`
const timesTitle = 'a request to a server, one after another on one connection, in milliseconds'

const rounds = amount(6, 1)
const questions = amount(500, 20)
const warmUpQuestions = amount(2_000, 20)

/** Measures requests a second, and processor time without that of the server itself. */
export const benchServerRequests = inSandbox(rateTitle, async (title, run) => {
  const { svc, proxy, socket, targets } = await startBoth(run)
  const [nginx, caddy] = [
    await startNginxBefore(run.directory, socket),
    await startCaddyBefore(run.directory, socket),
  ]
  const others = [
    ...(nginx ? [{ name: "nginx's proxy_pass", ...nginx }] : []),
    ...(caddy ? [{ name: "Caddy's reverse_proxy", ...caddy }] : []),
  ]
  const measured = await measure(
    [...targets, ...others].map(({ port, ...target }) => ({
      ...target,
      url: `http://127.0.0.1:${port}/`,
      // In another case wrk would add its own.
      headers: { Host: host },
      connections,
      cpuSeconds: ownCpuSeconds,
    })),
  )
  await Promise.all([svc.child, proxy, ...others.map(({ child }) => child)].map(stop))
  const [ours, bare, ...shown] = measured
  return {
    title,
    notes: [
      ...(nginx ? [] : ['nginx is not installed here.']),
      ...(caddy ? [] : ['Caddy is not installed here.']),
      'The server has the same core as what is before it, and its processor time is not counted. ' +
        'The goals are 0.8 of the rate, and 1.5 times the processor time.',
    ],
    measured,
    comparisons: [
      { to: bare.name, bar: 0.7, cpuBar: 0.5, ...compare(ours, bare) },
      ...shown.map((other) => ({ to: other.name, bar: undefined, ...compare(ours, other) })),
    ],
  }
})

/** Measures how much later answers come through the edge. */
export const benchServerTimes = inSandbox(timesTitle, async (title, run) => {
  const { svc, proxy, targets } = await startBoth(run)
  moveToLoadCores(process.pid)
  const [ours, bare] = await Promise.all(targets.map(({ port }) => openConnection(port)))
  await medianMs(ours, warmUpQuestions)
  await medianMs(bare, warmUpQuestions)
  const times = []
  for (let round = 0; round < rounds; round += 1) {
    const [oursMs, bareMs] = [await medianMs(ours, questions), await medianMs(bare, questions)]
    times.push({ oursMs, bareMs, moreMs: oursMs - bareMs })
  }
  for (const { close } of [ours, bare]) close()
  await Promise.all([svc.child, proxy].map(stop))
  const of = (name) => median(times.map((each) => each[name]))
  return {
    title,
    notes: [],
    durations: [
      { what: targets[0].name, ms: of('oursMs') },
      { what: targets[1].name, ms: of('bareMs') },
      { what: 'how much more that is', ms: of('moreMs'), bar: 0.2 },
    ],
  }
})

/** Starts a server behind the edge, and the bare proxy before the socket of the same process. */
async function startBoth({ directory, openDatabase }) {
  const place = join(directory, 'svc')
  const svc = await startSvc(place, (await openDatabase()).url)
  await svc.call('PUT', '/v1/projects/bench', {})
  await deployServer(svc, 'bench', { 'server.mjs': hello })
  const first = await openConnection(svc.edgePort)
  await first.ask('/', { host })
  first.close()
  const [socket] = socketsIn(place)
  const proxy = start(serverCores, [process.execPath, peer, socket])
  const port = Number(await readUntil(proxy, /\d+\n/))
  const targets = [
    { name: 'svc', child: svc.child, port: svc.edgePort },
    { name: 'bare node:http proxy', child: proxy, port },
  ]
  return { svc, proxy, socket, targets }
}

async function medianMs({ ask }, count) {
  const taken = []
  for (let asked = 0; asked < count; asked += 1) taken.push((await ask('/', { host })).ms)
  return median(taken)
}
