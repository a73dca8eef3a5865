/** The deploy hook that a request names by its secret. */
import { eq } from 'drizzle-orm'
import { asSecret } from '../../lib/secret.ts'
import type { Database } from '../../stores/db/database.ts'
import { deployHooks } from '../../stores/db/schema/deploy-hooks.ts'
import { members } from '../../stores/db/schema/teams.ts'
import { type Maker, makerColumns, makerEndReason, type Need, ofMaker } from '../callers/maker-right.ts'
import { hashHookSecret, isHookSecret } from './address.ts'

/** `usesMs` as it is stored: the latest times, the oldest first. `branch` is null for what is live. */
export type KnownHook = {
  id: string
  teamId: string
  projectId: string
  userId: string
  name: string
  branch: string | null
  usesMs: number[]
  lastDeploymentId: string | null
}

/** The hook with this secret; undefined if there is none, or whoever made it is no owner any more. */
export async function findDeployHook(db: Database, secret: string): Promise<KnownHook | undefined> {
  if (!isHookSecret(secret)) return undefined
  const [row] = await select(db).where(eq(deployHooks.secretSha256, hashHookSecret(asSecret(secret))))
  return admit(row)
}

/** The hook with this id, as it is now; undefined if it has ended. */
export async function readDeployHook(db: Database, id: string): Promise<KnownHook | undefined> {
  const [row] = await select(db).where(eq(deployHooks.id, id))
  return admit(row)
}

/** The same hook as it is now, locked until the transaction ends; undefined if it has ended. */
export async function lockDeployHook(tx: Database, id: string): Promise<KnownHook | undefined> {
  const [row] = await select(tx).where(eq(deployHooks.id, id)).for('no key update', { of: deployHooks })
  return admit(row)
}

function select(db: Database) {
  return db
    .select({
      hook: {
        id: deployHooks.id,
        teamId: deployHooks.teamId,
        projectId: deployHooks.projectId,
        userId: deployHooks.createdBy,
        name: deployHooks.name,
        branch: deployHooks.branch,
        usesMs: deployHooks.usesMs,
        lastDeploymentId: deployHooks.lastDeploymentId,
      },
      ...makerColumns,
    })
    .from(deployHooks)
    .innerJoin(members, ofMaker(deployHooks))
}

function admit(row: (Maker & { hook: KnownHook }) | undefined): KnownHook | undefined {
  return row && !makerEndReason(row, hookNeed(row.hook.projectId)) ? row.hook : undefined
}

/** The right that making a hook of the project takes. */
export function hookNeed(projectId: string): Need {
  return { role: 'owner', projectId }
}
