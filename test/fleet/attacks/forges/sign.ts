/** What a forge sends, signed as GitHub signs it, from the address that all of its users share. */
import { createHmac, randomUUID } from 'node:crypto'
import { send } from '../send.ts'
import type { Hook, Target } from '../target.ts'

/** The address of the forge, as the load balancer sees it. */
const forgeAddress = '10.200.0.1'

type Sent = { hook: Hook; event: string; payload: Record<string, unknown>; signal: AbortSignal }

/** Sends an event of the hook's repository through the load balancer. Resolves to its status. */
export async function sendEvent(
  { balancerPort }: Pick<Target, 'balancerPort'>,
  { hook, event, payload, signal }: Sent,
): Promise<number> {
  const body = JSON.stringify({ ...payload, repository: repositoryOf(hook) })
  const digest = createHmac('sha256', hook.secret).update(body).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${digest}`,
    'x-forwarded-for': forgeAddress,
  }
  return (await send({ port: balancerPort, path: hook.path, headers, body, signal })).status
}

/** The repository as GitHub names it. */
export function repositoryOf({ repository }: Pick<Hook, 'repository'>) {
  const full_name = new URL(repository).pathname.slice(1)
  return { id: 1, full_name, html_url: repository, clone_url: `${repository}.git`, default_branch: 'main' }
}
