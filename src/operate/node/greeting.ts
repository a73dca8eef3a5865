/** The lines that a node prints when it is ready. */
import { isExposed } from '../../lib/net/loopback.ts'
import type { RoleName } from '../../lib/settings/kinds.ts'
import type { Node } from './node.ts'

type Greeted = Omit<Node, 'stop' | 'certifiedUrl'>

type Options = {
  roles: readonly RoleName[]
  /** Whether the dashboard is being built beside the node. */
  isBuilding: boolean
  /** Whether it goes to a terminal, where the end of it stays in view. */
  isTerminal: boolean
}

/**
 * Lines for people. After the first start they begin with the link to sign in, and no address is followed by
 * anything that a terminal could take for a part of it.
 */
export function greetingOf(node: Greeted, { roles, isBuilding, isTerminal }: Options): string {
  const { apiUrl, firstKey, firstLink } = node
  const building = isBuilding && roles.includes('api') ? [dashboard] : []
  const isFirst = firstKey && firstLink !== undefined && apiUrl !== undefined
  const ready = readyLine(node, roles)
  if (!isFirst) return [...building, ready].join('\n')
  const { way, key } = welcomeOf(apiUrl, firstLink, firstKey.token)
  if (isTerminal) return [way, ...building, ready, key].join('\n')
  return [way, key, ...building, ready].join('\n')
}

const dashboard =
  'The dashboard is being built, and is there within two minutes. Its log is dist/.dashboard/build.log\n'

function readyLine({ apiUrl, sitesUrl, dnsPort, internalPort }: Greeted, roles: readonly RoleName[]): string {
  const places = [
    ...(roles.includes('api') && apiUrl !== undefined ? [`API: ${apiUrl}`] : []),
    ...(roles.includes('edge') ? [`sites: ${sitesUrl.replace('//', '//<name>.')}`] : []),
    ...(dnsPort === undefined ? [] : [`DNS: port ${dnsPort}`]),
  ]
  return `svc is ready. ${places.length > 0 ? places.join(' · ') : `Internal port: ${internalPort}`}`
}

/** The way to sign in, and the way of a terminal, with the key at its end. */
function welcomeOf(apiUrl: string, link: string, key: string): { way: string; key: string } {
  return {
    way: `
${link}

To sign in, open this within three days, and choose the address and the password to sign in with.
${isExposed(apiUrl) ? exposed : ''}`,
    key: `
Deploy the example site from another terminal; the first command asks for the key:

  npm run -s svc -- login --url ${apiUrl}
  npm run -s svc -- deploy examples/hello --prod

Elsewhere, install this server's own command:

  npm install -g ${apiUrl}/svc.tgz

The key is this, the owner key of your team. It is printed only once: store it safely.

${key}
`,
  }
}

const exposed = `
Warning: this address is plain http. Whoever is on the way can read keys and passwords, and change what is
installed from it. Set SVC_URL to an https address, with SVC_TLS_CERT and SVC_TLS_KEY or behind a proxy with
TLS.
`
