/** The tool that puts the earlier deployment of a project live again, as `svc rollback` does. */
import { usageFailure } from '../command-failure.ts'
import type { Api } from '../connection/connect.ts'
import { type Deployment, rollBack } from '../deploy/roll-back.ts'
import type { Tool } from './protocol.ts'

const title = 'Roll back'

/** `project` is the one that the directory is linked to, the default. */
export function rollbackTool(project: string | undefined): Tool {
  const named = {
    type: 'string',
    description: 'Its name or id',
    ...(project !== undefined && { default: project }),
  }
  return {
    name: 'rollback',
    title,
    description:
      `${title}. Makes the deployment of a project live again that was live before the present one, and ` +
      'returns it. Each further call goes one further back. deployments_promote makes any other one live.',
    inputSchema: {
      type: 'object',
      properties: { project: named },
      ...(project === undefined && { required: ['project'] }),
      additionalProperties: false,
    },
    annotations: { title, readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  }
}

/** @throws Failure (2) that names the argument that is wrong, (5) where nothing was live before. */
export async function callRollback(
  api: Api,
  linked: string | undefined,
  { project = linked, ...others }: Record<string, unknown>,
): Promise<Deployment> {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw usageFailure(`${unknown}: this tool has no such argument.`)
  if (typeof project === 'string' && project !== '') return rollBack(api, project, 'deployments_promote')
  throw usageFailure('project: pass the name or id of a project.')
}
