/** Visits over HTTP/2, which go to the edges themselves. */
import { once } from 'node:events'
import { type ClientHttp2Session, connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import type { FleetNode } from '../parts/node.ts'
import { oneOf, repeat } from './pace.ts'
import { pagePaths, versionIn } from './site-files.ts'
import type { Site, Team, World } from './world.ts'

const timeoutMs = 60_000

/** A browser that keeps one session with each edge. */
function createBrowser() {
  const sessions = new Map<string, ClientHttp2Session>()

  function sessionWith({ name, tlsPort }: FleetNode, host: string): ClientHttp2Session {
    const known = sessions.get(name)
    if (known && !known.destroyed && !known.closed) return known
    const [servername = ''] = host.split(':')
    const session = connect(`https://127.0.0.1:${tlsPort}`, { rejectUnauthorized: false, servername })
    session.on('error', () => {})
    sessions.set(name, session)
    return session
  }

  return {
    async get(edge: FleetNode, host: string, path: string): Promise<{ status: number; text: string }> {
      const authority = `${host.split(':')[0]}:${edge.tlsPort}`
      try {
        const signal = AbortSignal.timeout(timeoutMs)
        const stream = sessionWith(edge, host).request({ ':authority': authority, ':path': path }, { signal })
        const [headers] = await once(stream, 'response')
        return { status: Number(headers[':status']), text: await text(stream) }
      } catch (error) {
        return { status: 0, text: String(error) }
      }
    },
    close() {
      for (const session of sessions.values()) session.destroy()
    },
  }
}

type Browser = ReturnType<typeof createBrowser>

async function visit({ recorder, fleet }: World, team: Team, browser: Browser, site: Site): Promise<void> {
  const edge = oneOf(fleet.nodes.filter(({ role }) => role === 'edge'))
  const invocation = { process: `${team.slug}/browser`, kind: 'page.http2', subject: site.project }
  await recorder.perform(invocation, async () => {
    const response = await browser.get(edge, site.host, oneOf(pagePaths))
    const seen = { status: response.status, node: edge.name }
    if (response.status === 200) return { type: 'ok', ...seen, value: versionIn(response.text) }
    return { type: 'fail', ...seen, note: response.text.slice(0, 200) }
  })
}

/** Visits the sites of a team until `stopping` aborts. */
export async function visitByHttp2(world: World, team: Team, stopping: AbortSignal): Promise<void> {
  const browser = createBrowser()
  await repeat(stopping, 150, () => visit(world, team, browser, oneOf([...team.sites, team.steady])))
  browser.close()
}
