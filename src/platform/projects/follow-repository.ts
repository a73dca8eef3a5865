/** Follows a repository at its forge, by what the forge signs. */
import { eq } from 'drizzle-orm'
import { seal, unseal } from '../../stores/data-dir/seal.ts'
import { projectRepositories } from '../../stores/db/schema/project-repositories.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { changeOf } from '../../stores/events/changes.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { boundTo, type SecretKind } from './repository.ts'

/** The most former addresses of a project, which are the last ones. */
const maxFormer = 20

/** The forge's id of it, and its address by now, which is on the same host as the one that is known. */
type Said = { id: string; url: string }

/**
 * Keeps the id, once, and the address: token and secret move with it, and the audit trail says that the forge
 * did that. Nothing changes for a repository that an owner has replaced meanwhile.
 */
export async function followRepository(
  { tx, envKey, nowMs }: { tx: Transaction; envKey: Buffer; nowMs: number },
  projectId: string,
  { id, url }: Said,
): Promise<void> {
  const [project] = await tx
    .select({ id: projects.id, teamId: projects.teamId, name: projects.name })
    .from(projects)
    .where(eq(projects.id, projectId))
    .for('no key update')
  const ofProject = eq(projectRepositories.projectId, projectId)
  const [known] = await tx.select().from(projectRepositories).where(ofProject)
  if (!project || !known || (known.repositoryId !== null && known.repositoryId !== id)) return
  const isKnown = known.repositoryId === id
  if (known.url === url || !isKnown) {
    if (!isKnown && known.url === url)
      await tx.update(projectRepositories).set({ repositoryId: id }).where(ofProject)
    return
  }
  if (known.formerUrls.includes(url) || new URL(known.url).host !== new URL(url).host) return
  const moved = (kind: SecretKind, sealed: string | null) => {
    if (sealed === null) return null
    const value = unseal(envKey, boundTo({ projectId, url: known.url, kind }), sealed)
    return seal(envKey, boundTo({ projectId, url, kind }), value)
  }
  await tx
    .update(projectRepositories)
    .set({
      url,
      formerUrls: [known.url, ...known.formerUrls].slice(0, maxFormer),
      tokenSealed: moved('token', known.tokenSealed),
      secretSealed: moved('secret', known.secretSealed),
      updatedMs: nowMs,
    })
    .where(ofProject)
  const data = {
    project: { id: project.id, name: project.name },
    changed: ['git'],
    changes: [changeOf('git.url', known.url, url)],
    by: 'forge' as const,
  }
  await recordEvents(tx, { origin: null, nowMs }, [
    { teamId: project.teamId, type: 'project.updated', projectId, data },
  ])
  tx.announce({ kind: 'project', id: projectId })
}
