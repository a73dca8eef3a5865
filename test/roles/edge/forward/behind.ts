/** Sites that pass everything on that is no file: by a rule, or to their own server. */
import type { EdgeDeps } from '../../../../src/roles/edge/server.ts'
import { type Edge, newSite, startEdge, type TestSite } from '../edge.ts'
import type { Origin } from './origin.ts'
import { createTestServers } from './servers.ts'

/** An edge, and `where` the servers of its sites listen. */
type Behind = {
  edge: Edge
  where: 'port' | 'socket'
  siteBefore(origin: Pick<Origin, 'url' | 'path'>, files?: Record<string, string>): Promise<TestSite>
}

/** Starts the edge, with these changes. */
export async function startBehind(
  kind: 'a rule' | 'a server',
  changes: Partial<EdgeDeps> = {},
): Promise<Behind> {
  const paths = new Map<string, string>()
  const servers = createTestServers(({ projectId }) => ({ path: paths.get(projectId) ?? '' }))
  const edge = await startEdge({ servers, ...changes })
  const hasServer = kind === 'a server'
  return {
    edge,
    where: hasServer ? 'socket' : 'port',
    async siteBefore({ url, path }, files = {}) {
      const site = await newSite(edge)
      paths.set(site.projectId, path)
      const rules = hasServer ? {} : { _redirects: `/* ${url}/:splat 200` }
      const { id } = await site.deploy({ ...files, ...rules }, { hasServer })
      await site.promote(id)
      return site
    },
  }
}
