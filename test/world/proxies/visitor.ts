/** Somebody who does nothing wrong, and asks again and again. */
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiHost, type RunningProxy, sitesHost } from '../../support/proxies/proxy.ts'

/** An answer in short: the status and the beginning of the body, or why there is none. */
export type Seen = string

const pauseMs = 30

/** What a visitor of the API, and one of a site, saw until `stop` resolved; each keeps a connection. */
export async function visitUntil(proxy: RunningProxy, stop: Promise<unknown>): Promise<Seen[]> {
  let isOver = false
  const visitors = [
    { host: apiHost, path: '/healthz' },
    { host: `web.${sitesHost}`, path: '/' },
  ].map(async ({ host, path }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: proxy.ca, localAddress: '127.0.0.9' })
    const seen: Seen[] = []
    while (!isOver) {
      seen.push(await get({ proxy, agent, host, path }).catch(String))
      await sleep(pauseMs)
    }
    agent.destroy()
    return seen
  })
  await stop
  isOver = true
  return (await Promise.all(visitors)).flat()
}

/** What they see while nothing is wrong. */
export function isRight(seen: Seen): boolean {
  return /^200 (?:\{"ok":true\}|hello)$/.test(seen)
}

function get(target: { proxy: RunningProxy; agent: Agent; host: string; path: string }): Promise<Seen> {
  const { proxy, agent, host, path } = target
  const place = { host: '127.0.0.1', port: proxy.port, path, agent, servername: host, headers: { host } }
  return new Promise((resolve, reject) => {
    request(place, (response) => {
      text(response).then((body) => resolve(`${response.statusCode} ${body.slice(0, 40)}`), reject)
    })
      .on('error', reject)
      .end()
  })
}
