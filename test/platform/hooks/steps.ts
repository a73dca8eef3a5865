/** Steps shared by tests of deploy hooks: teams with a project, hooks of it, and requests to them. */
import { createClient } from '../../../src/api/client/index.ts'
import type { Answer } from '../../support/api.ts'
import { knowSecret } from '../../support/kept-logs.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

/** A typed client of the node. */
export function clientOf(node: TestNode, token: string) {
  return createClient({ url: node.apiUrl, token, retry: false })
}

/** A team with an empty project `web`, and its owner's client. */
export async function newHooked(node: TestNode) {
  const team = await newTeam(node)
  const { body: project } = await team.owner('PUT', '/v1/projects/web')
  return { team, project, client: clientOf(node, team.ownerKey) }
}

/** A new hook of the project, whose secret no log may contain. */
export async function newHook(
  { client }: { client: ReturnType<typeof clientOf> },
  input: { name?: string; branch?: string } = {},
) {
  const hook = await client.hooks.create.mutate({ project: 'web', name: 'cms', ...input })
  const secret = hook.url.split('/').at(-1) ?? ''
  knowSecret('the secret of a deploy hook', secret)
  return { ...hook, secret }
}

/** The response to a request to the hook's address, by default a POST without a body. */
export async function send(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', ...init })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
