/** Starts the server of a deployment with its files, its variables and its facts. */
import type { Database } from '../../stores/db/database.ts'
import { deploymentFacts } from '../projects/deployment-facts.ts'
import type { EnvTarget } from '../projects/env.ts'
import { openEnv } from '../projects/open-env.ts'
import { createRedactor } from '../sandbox/redact.ts'
import type { KeptFiles } from './kept-files/kept-files.ts'
import { makeCachePlaces } from './kept-files/lay-out.ts'
import type { ServerLog } from './lines.ts'
import { startServer } from './process.ts'
import type { DeployedServer } from './read-server.ts'
import { serverEnvironment } from './server-env.ts'
import { type ServerDeps, type ServerProcess, StartFailed } from './server-process.ts'
import { reachOf, withoutRoute } from './way-out/plan.ts'

export type DeployedDeps = ServerDeps & {
  db: Database
  /** Opens the variables of projects. */
  envKey: Buffer
  kept: Pick<KeptFiles, 'take'>
  /** The address below which sites are. */
  sitesUrl: () => string
}

/** A server, and for whom it is. */
type ToStart = { row: DeployedServer; target: EnvTarget }

/**
 * Resolves once the process is there; its files are given back when it has ended.
 * @throws StartFailed where it can't run here; as `KeptFiles` does; the signal's reason when it aborts.
 */
export async function startDeployed(
  deps: DeployedDeps,
  { row, target }: ToStart,
  log: ServerLog,
  signal: AbortSignal,
): Promise<ServerProcess> {
  requireSamePlatform(row, deps, log)
  const variables = await variablesOf(deps, row, target)
  const redactor = await createRedactor(Object.values(variables))
  if (!redactor) throw new StartFailed('The values of the variables are too long to be kept out of the log.')
  const reach = reachOf(row.runtime, row.isUntrusted)
  if (reach && !deps.wayOut.isRouted) log.say('warn', withoutRoute(reach, deps.node.version))
  const files = await deps.kept.take(row.manifestId, signal)
  try {
    await makeCachePlaces(files.directory, row.server.caches)
    const process = await startServer(deps, {
      files: files.directory,
      command: row.server.command,
      directory: row.server.directory,
      env: serverEnvironment(factsOf(deps, row, target), variables, row.server.env),
      caches: row.server.caches,
      memoryBytes: row.runtime.memory_bytes,
      leaving: reach && { team: { id: row.teamId, slug: row.teamSlug }, reach },
      redactor,
      onLine: (line) => log.print(line),
      onDropped: (lines) => log.drop(lines),
      onRefused: (text) => log.say('warn', text),
    })
    void process.ended.then(files.giveBack)
    return process
  } catch (error) {
    files.giveBack()
    throw error
  }
}

/** Those of the target; in a preview, of its branch, too. What somebody outside the team wrote gets none. */
async function variablesOf(
  { db, envKey }: DeployedDeps,
  { projectId, meta, isUntrusted }: DeployedServer,
  target: EnvTarget,
): Promise<Record<string, string>> {
  return isUntrusted ? {} : openEnv(db, envKey, { projectId, target, meta })
}

function factsOf({ sitesUrl }: DeployedDeps, row: DeployedServer, target: EnvTarget): Record<string, string> {
  const host = target === 'production' ? row.productionHost : row.host
  return deploymentFacts(sitesUrl(), {
    id: row.deploymentId,
    project: row.project,
    meta: row.meta,
    target,
    host,
  })
}

/** Native modules are built for one platform, and for one major version of Node. */
function requireSamePlatform({ server }: DeployedServer, { node }: DeployedDeps, log: ServerLog): void {
  if (server.platform !== node.platform)
    throw new StartFailed(`The server was built for ${server.platform}, and this node is ${node.platform}.`)
  const [built, runs] = [server.node, node.version].map((version) => version.split('.')[0])
  if (built !== runs)
    log.say('warn', `It was built with Node.js ${server.node}, and runs here with ${node.version}.`)
}
