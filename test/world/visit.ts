/** A visitor of a site, whose name is sent as `Host`. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

const agent = new Agent({ keepAlive: true })

export type Page = { status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer }

/** The response of the site at `siteUrl` to a GET of a file's path. */
export function get(siteUrl: string, path: string, headers: Record<string, string> = {}): Promise<Page> {
  const { host, port } = new URL(siteUrl)
  const address = `/${path.split('/').map(encodeURIComponent).join('/')}`
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: address, agent, headers: { host, ...headers } })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const { statusCode: status, headers } = response
      buffer(response).then((bytes) => resolve({ status, headers, bytes }), reject)
    })
    sent.end()
  })
}
