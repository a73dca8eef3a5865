/** The repository at a forge whose pushes a project deploys. */
import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { invalidField } from '../../lib/errors.ts'
import { seal, unseal } from '../../stores/data-dir/seal.ts'
import type { Database } from '../../stores/db/database.ts'
import { forgeRefusals, projectRepositories } from '../../stores/db/schema/project-repositories.ts'
import { type Change, changeOf, differences, secretChange } from '../../stores/events/changes.ts'
import { forgetClosed, scheduleClosed } from './closed-pull-requests.ts'
import { columnNames, columnsAfter, shownBy } from './field.ts'
import { forgeAt } from './forge-at.ts'
import type { GitChanges } from './project-input.ts'
import { refuseForks } from './refuse-forks.ts'
import { repositoryFields } from './repository-fields.ts'
import { repositoryUrl } from './repository-url.ts'

type RepositoryChange = { tx: Database; envKey: Buffer; nowMs: number; userId: string }

type Repository = typeof projectRepositories.$inferSelect

/** The kind of a sealed value of a repository. */
export type SecretKind = 'token' | 'secret'

/** Where a value belongs: with another address it can't be opened, and so never gets there. */
type SecretPlace = { projectId: string; url: string; kind: SecretKind }

/**
 * Connects the project to the repository in `changes`, changes how that is deployed, or with null disconnects
 * it. At another address the token and the secret of the one before are gone. The project is locked by then.
 * Resolves to what changed, without the token and the secret.
 * @throws AppError `invalid_input`.
 */
export async function changeRepository(
  change: RepositoryChange,
  projectId: string,
  changes: GitChanges | null,
): Promise<Change[]> {
  const { production_branch: _, ...wanted } = changes ?? {}
  const given = Object.values(wanted).some((value) => value !== undefined)
  if (changes !== null && !given) return []
  const ofProject = eq(projectRepositories.projectId, projectId)
  const [known] = await change.tx.select().from(projectRepositories).where(ofProject)
  if (changes === null || wanted.url === null) {
    if (!known) return []
    await change.tx.delete(projectRepositories).where(ofProject)
    await refuseForks(change, projectId)
    return [changeOf('git.url', known.url, null)]
  }
  const next = nextOf(change, projectId, known, wanted)
  const isSame = known && keys.every((key) => isDeepStrictEqual(known[key], next[key]))
  // Whoever gives the address again takes the connection over.
  if (isSame && (wanted.url === undefined || known.connectedBy === change.userId)) return []
  if (known && known.url !== next.url) await forgetClosed(change.tx, projectId)
  else if (known && known.closeDays !== next.closeDays)
    await scheduleClosed(change.tx, projectId, next.closeDays)
  const isOther = known !== undefined && known.url !== next.url
  const isNewSecret = known !== undefined && known.secretSealed !== next.secretSealed
  // A new secret is for a new webhook, which may be that of another repository at the same address.
  const isFollowed = known !== undefined && !isOther && !isNewSecret && known.provider === next.provider
  const learned = {
    ...(isOther && { defaultBranch: null }),
    ...(!isFollowed && { repositoryId: null, formerUrls: [] }),
  }
  const set = { ...next, ...learned, connectedBy: change.userId, updatedMs: change.nowMs }
  await change.tx
    .insert(projectRepositories)
    .values({ projectId, ...set })
    .onConflictDoUpdate({ target: projectRepositories.projectId, set })
  if (isOther || isNewSecret)
    await change.tx.delete(forgeRefusals).where(eq(forgeRefusals.projectId, projectId))
  // What waits, or was approved, is of the repository that was. After the setting, which receiving one locks.
  if (known?.takesForks && (!next.takesForks || known.url !== next.url)) await refuseForks(change, projectId)
  return changesOf(known, set)
}

type Settings = Pick<Repository, (typeof keys)[number] | 'connectedBy'>

function changesOf(before: Settings | undefined, after: Settings): Change[] {
  const plain = (settings: Settings) => ({
    provider: settings.provider,
    url: settings.url,
    ...shownBy(repositoryFields, settings),
    connected_by: settings.connectedBy,
  })
  const sealed = (kind: SecretKind, column: 'tokenSealed' | 'secretSealed') => {
    const was = before?.[column] ?? null
    return was === after[column] ? [] : [secretChange(`git.${kind}`, was !== null, after[column] !== null)]
  }
  return [
    ...differences(before ? plain(before) : {}, plain(after)).map(inGit),
    ...sealed('token', 'tokenSealed'),
    ...sealed('secret', 'secretSealed'),
  ]
}

function inGit(change: Change): Change {
  return { ...change, field: `git.${change.field}` }
}

/** That of the project's repository, as the forge last said; null where that isn't known. */
export async function findDefaultBranch(db: Database, projectId: string): Promise<string | null> {
  const [found] = await db
    .select({ branch: projectRepositories.defaultBranch })
    .from(projectRepositories)
    .where(eq(projectRepositories.projectId, projectId))
  return found?.branch ?? null
}

const keys = ['provider', 'url', ...columnNames(repositoryFields), 'tokenSealed', 'secretSealed'] as const

function nextOf(
  { envKey }: RepositoryChange,
  projectId: string,
  before: Repository | undefined,
  wanted: Omit<GitChanges, 'production_branch'>,
): Pick<Repository, (typeof keys)[number]> {
  const url = wanted.url ? repositoryUrl(wanted.url) : before?.url
  if (url === undefined) throw invalidField('git.url', 'required: the https address of the repository')
  const known = before?.url === url ? before : undefined
  const provider = forgeAt(url, wanted.provider ?? known?.provider)
  const sealed = (kind: SecretKind, stored: string | null) => {
    const value = wanted[kind]
    if (value === undefined) return stored
    if (value === null) return null
    const place = { projectId, url, kind }
    const isStored = stored !== null && openRepositorySecret(envKey, place, stored) === value
    return isStored ? stored : seal(envKey, boundTo(place), value)
  }
  return {
    provider,
    url,
    ...columnsAfter(repositoryFields, known, wanted),
    tokenSealed: sealed('token', known?.tokenSealed ?? null),
    secretSealed: sealed('secret', known?.secretSealed ?? null),
  }
}

/** The token or secret of a repository. @throws Error for one of another project or address. */
export function openRepositorySecret(envKey: Buffer, place: SecretPlace, sealed: string): string {
  return unseal(envKey, boundTo(place), sealed)
}

/** The text that binds a sealed value to its kind, project and address. */
export function boundTo({ projectId, url, kind }: SecretPlace): string {
  return `repository ${kind} ${projectId} ${url}`
}
