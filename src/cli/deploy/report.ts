/** Says how a deployment ends, and where it is. */
import type { RouterOutputs } from '../../api/client/index.ts'
import { warningText } from '../../lib/warning-text.ts'
import type { Api } from '../connection/connect.ts'
import type { GlobalOptions, Io } from '../io.ts'
import { size } from '../terminal/format.ts'
import { warn, write, writeJson } from '../terminal/output.ts'
import { requireSite } from './require-site.ts'

type Deployment = RouterOutputs['deployments']['create']

type Deps = { io: Io; api: Api }

/**
 * Prints the address of a deployment that was just created or, with `wait`, once it is built.
 * @throws Failure for one that ended without a site.
 */
export async function report(
  deps: Deps,
  options: GlobalOptions,
  deployment: Deployment,
  { wait }: { wait: boolean },
): Promise<void> {
  const ended = wait ? await whenBuilt(deps, options, deployment) : deployment
  requireSite(ended)
  tell(deps.io, options, ended)
}

/** Reports each state of a build, and prints its output. */
async function whenBuilt(
  { io, api }: Deps,
  { json }: GlobalOptions,
  deployment: Deployment,
): Promise<Deployment> {
  if (deployment.state !== 'queued' && deployment.state !== 'building') return deployment
  // Needed only by projects with a build.
  const { followBuild } = await import('../logs/follow-build.ts')
  let lastLine = ''
  const tellOnce = (line: string): void => {
    if (!json && line !== lastLine) warn(io, line)
    lastLine = line
  }
  const onLook = ({ id, state, queue_position: position }: Deployment): void =>
    tellOnce(position === null ? `${id}: ${state}…` : `${id}: ${state}, ${position - 1} ahead…`)
  onLook(deployment)
  return followBuild({ api, signal: io.signal }, deployment.id, {
    onLook,
    write: ({ message }) => {
      if (!json) warn(io, message)
    },
  })
}

/** For scripts, standard output is only the URL. */
function tell(io: Io, { json }: GlobalOptions, deployment: Deployment): void {
  if (json) {
    writeJson(io, deployment)
    return
  }
  // A server of an earlier version has none.
  const { id, url, live, aliases, files, bytes, warnings = [] } = deployment
  for (const warning of warnings) warn(io, `Warning: ${warningText(warning)}`)
  const [address = url] = live ? aliases : []
  if (!live) for (const alias of aliases) warn(io, `Also at ${alias}`)
  warn(io, `${id}: ${files} ${files === 1 ? 'file' : 'files'}, ${size(bytes)}, ${outcomeOf(deployment)}.`)
  write(io, address)
}

function outcomeOf({ id, state, target, live }: Deployment): string {
  if (state !== 'ready') return state
  if (live) return 'live'
  return target === 'preview' ? 'a preview' : `ready: \`svc promote ${id}\` makes it live`
}
