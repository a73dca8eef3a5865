/** Deployments with a server, without a build. */
import { eq } from 'drizzle-orm'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import type { TestNode } from '../../support/node.ts'
import type { TestTeam } from '../../support/team.ts'
import { deploy } from '../deployments/steps.ts'
import { ownNode } from '../sandbox/own-node.ts'

/** A ready deployment whose files are those of its server: a program of Node. */
export async function deployAsServer(
  node: TestNode,
  team: TestTeam,
  { content, ...fields }: { content: string } & Record<string, unknown>,
) {
  const { db } = node.installation.store
  const deployment = await deploy(team, { files: [{ path: 'server.js', content }], ...fields })
  const at = eq(deployments.id, deployment.id)
  const [row] = await db.select().from(deployments).where(at)
  const { version, platform } = ownNode
  const server = { command: 'node server.js', directory: '.', node: version, platform }
  await db
    .update(deployments)
    .set({ server, serverManifestId: row?.manifestId ?? null })
    .where(at)
  return deployment
}
