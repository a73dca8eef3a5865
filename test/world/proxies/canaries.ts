/** Clients who ask for something of their own each time, and must get just that. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { apiHost, sitesHost } from '../../support/proxies/proxy.ts'
import type { Door } from './doors.ts'

const pageCount = 40

/** Their paths, which have to be published. */
export const pages = Array.from({ length: pageCount }, (_, at) => `canary-${at}`)

export type Canaries = {
  /** Several at once, at the API and at a site; resolves to what was wrong. */
  ask(): Promise<string[]>
  close(): void
}

/** They keep connections. */
export function startCanaries(door: Door): Canaries {
  const { ca } = door.placeOf(apiHost)
  const options = { keepAlive: true, maxSockets: 4 }
  const agent = ca === undefined ? new HttpAgent(options) : new HttpsAgent({ ...options, ca })
  const request = ca === undefined ? httpRequest : httpsRequest
  let count = 0

  function get(host: string, path: string, id: string): Promise<string> {
    const place = { ...door.placeOf(host), servername: host, path, agent }
    return new Promise((resolve, reject) => {
      request({ ...place, headers: { host, 'x-request-id': id } }, (response) => {
        const head = `${response.statusCode} ${response.headers['x-request-id'] ?? ''}`
        text(response).then((body) => resolve(`${head} ${body}`), reject)
      })
        .on('error', reject)
        .end()
    })
  }

  async function problem(host: string, path: string, expected: (id: string) => string): Promise<string[]> {
    count += 1
    const id = `canary-${count}-of-another-client`
    const seen = await get(host, path, id).catch(String)
    return seen === expected(id) ? [] : [`${host}${path} as ${id}: ${seen.slice(0, 200)}`]
  }

  return {
    async ask() {
      const gets = [0, 1, 2].flatMap(() => {
        const page = pages[count % pageCount] ?? ''
        return [
          problem(apiHost, '/healthz', (id) => `200 ${id} {"ok":true}`),
          problem(`web.${sitesHost}`, `/${page}`, () => `200  ${page}`),
        ]
      })
      return (await Promise.all(gets)).flat()
    },
    close: () => agent.destroy(),
  }
}
