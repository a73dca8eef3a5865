/** What the attacker has: teams of its own, a large site, a hook; and what it knows of others. */
import { z } from 'zod'
import type { Hook, Target } from '../attacks/target.ts'
import type { Fleet } from '../parts/fleet.ts'
import { call } from './http.ts'
import type { World } from './world.ts'

const teams = 8
const fileBytes = 4_000_000
const largePath = '/large.bin'

const teamSchema = z.object({ api_key: z.string() })
const deployedSchema = z.object({ url: z.string() })
const connectedSchema = z.object({ git: z.object({ hook_url: z.string() }) })

/** Creates it. @throws when a call is refused. */
export async function createTarget({ fleet, teams: others }: World): Promise<Target> {
  const own: Target['teams'] = []
  for (let at = 1; at <= teams; at += 1) {
    const slug = `mallory-${at}`
    const { api_key } = await must(fleet, fleet.key, ['PUT', `/v1/teams/${slug}`, { name: slug }], teamSchema)
    own.push({ slug, key: api_key })
  }
  const key = own[0]?.key ?? ''
  await must(fleet, key, ['PUT', '/v1/projects/mallory-large', {}], z.unknown())
  const content = Buffer.alloc(fileBytes, 'a').toString()
  const files = [
    { path: largePath.slice(1), content },
    { path: 'index.html', content: 'large' },
  ]
  const deployment = { project: 'mallory-large', files }
  const { url } = await must(fleet, key, ['POST', '/v1/deployments', deployment], deployedSchema)
  return {
    balancerPort: Number(new URL(fleet.apiUrl).port),
    apiPorts: fleet.nodes.filter(({ role }) => role === 'api').map(({ port }) => port),
    edges: fleet.nodes
      .filter(({ role }) => role === 'edge')
      .map(({ edgePort, tlsPort }) => ({ port: edgePort, tlsPort })),
    dnsPort: fleet.dnsPort,
    sitesDomain: `sites.fleet.net:${fleet.edgePort}`,
    teams: own,
    large: { host: new URL(url).host, path: largePath },
    ownHook: await connect(fleet, key),
    others: others.flatMap(({ pushed, zone }) =>
      pushed
        ? [{ ...pushed.hook, branch: pushed.branch.name, zone: zone.domain, host: pushed.site.host }]
        : [],
    ),
  }
}

async function connect(fleet: Fleet, key: string): Promise<Hook> {
  const repository = 'https://forge.fleet.net/mallory/site'
  const secret = 'secret of the hook of mallory'
  const git = { url: repository, provider: 'github', secret }
  const made = await must(fleet, key, ['PUT', '/v1/projects/mallory-forge', { git }], connectedSchema)
  return { path: new URL(made.git.hook_url).pathname, secret, repository }
}

async function must<T>(
  fleet: Fleet,
  key: string,
  [method, path, body]: ['PUT' | 'POST', string, unknown],
  schema: z.ZodType<T>,
): Promise<T> {
  const { status, text } = await call(fleet.apiUrl, key, method, path, body)
  if (status !== 200) throw new Error(`${method} ${path} got ${status}: ${text.slice(0, 300)}`)
  return schema.parse(JSON.parse(text))
}
