/** Protected sites for tests of their visitors. */
import { createClient } from '../../../src/api/client/index.ts'
import { knowSecret } from '../../support/kept-logs.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { deploy } from '../deployments/steps.ts'

/** A team with a protected project `web`: its production and a preview, as addresses with a slash behind. */
export async function newProtected(node: TestNode) {
  const team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web', { protection: 'all' })
  await deploy(team, { target: 'production' })
  const { url } = await deploy(team)
  const { body } = await team.owner('GET', '/v1/projects/web')
  const client = createClient({ url: node.apiUrl, token: team.ownerKey, retry: false })
  return { team, client, url: `${body.production_url}/`, preview: `${url}/` }
}

/** A share link of the project. */
export async function newShareLink(
  { client }: Pick<Awaited<ReturnType<typeof newProtected>>, 'client'>,
  input: { host?: string; expires_ms?: number } = {},
) {
  const link = await client.links.create.mutate({ project: 'web', ...input })
  knowSecret('the secret of a share link', new URL(link.url).searchParams.get('x-svc-share') ?? '')
  return link
}
