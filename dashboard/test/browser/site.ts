/** A team with something on every page. */

import type { TestNode } from '../../../test/support/node.ts'
import { newSession, type TestSession } from '../../../test/support/session.ts'
import { newTeam, type TestTeam } from '../../../test/support/team.ts'

export type FullTeam = { team: TestTeam; session: TestSession; deployment: string; webhook: string }

const longName = 'the-longest-name-that-a-project-may-have'

async function ok<T>(response: Promise<{ status: number; body: T }>): Promise<T> {
  const { status, body } = await response
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}

/** Makes the team, with projects, deployments, domains, records, a webhook and a session of its owner. */
export async function newFullTeam(node: TestNode): Promise<FullTeam> {
  const team = await newTeam(node)
  const { owner } = team
  for (const project of ['web', longName]) {
    await ok(owner('PUT', `/v1/projects/${project}`, {}))
    for (const target of ['production', 'preview']) {
      const files = [{ path: 'index.html', content: `<h1>${project} ${target}</h1>` }]
      const meta = { branch: target === 'preview' ? 'feature/header' : 'main', message: `A ${target}` }
      await ok(owner('POST', '/v1/deployments', { project, target, files, meta }))
    }
  }
  const { data } = await ok(owner('GET', '/v1/deployments?project=web&limit=1'))
  await ok(owner('PUT', '/v1/domains/www.example.com', { project: 'web' }))
  await ok(owner('PUT', '/v1/domains/example.com', { redirect: { to: 'www.example.com' } }))
  await ok(owner('POST', '/v1/domains/example.com/records', { name: 'mail', type: 'A', value: '192.0.2.1' }))
  const hook = { url: 'https://example.com/hook', events: ['deployment.ready'] }
  const { id: webhook } = await ok(owner('POST', '/v1/webhooks', hook))
  return { team, session: await newSession(node, team.ownerId), deployment: data[0].id, webhook }
}
