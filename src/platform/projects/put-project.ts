/** Creates or configures a project at its name; safe to repeat. */
import { isDeepStrictEqual } from 'node:util'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { AppError, invalidField } from '../../lib/errors.ts'
import { isId, newId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { isUniqueViolation } from '../../stores/db/failures.ts'
import { hosts } from '../../stores/db/schema/hosts.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Change } from '../../stores/events/changes.ts'
import { type NewEvent, recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { requireOwner } from '../callers/roles.ts'
import { requireWholeTeam, type Scope, sees } from '../callers/scope.ts'
import { holdTeam } from '../teams/lock.ts'
import { changeEnv } from './change-env.ts'
import { fieldsForOwners } from './fields.ts'
import { releaseLabels } from './free-labels.ts'
import { type HashedChanges, hashChanges } from './hash-site-password.ts'
import { assignLabel, takeProductionLabel } from './host-label.ts'
import { projectNameSchema } from './name.ts'
import type { ProjectChanges } from './project-input.ts'
import type { ProjectRecord } from './project-output.ts'
import { getProject, projectNotFound } from './read-project.ts'
import { changeRepository, findDefaultBranch } from './repository.ts'
import { type Room, requireRoomToKeep } from './room-to-keep.ts'
import { runtimeForOwners } from './runtime-fields.ts'
import { settingChanges } from './setting-changes.ts'
import { type ProjectSettings, settingColumns } from './setting-columns.ts'
import { defaults, wantedColumns } from './settings.ts'

/** Fields that affect access, and those that can lead to deletions. */
const ownerFields = [...fieldsForOwners, 'bypass_secret', 'password', 'git'] as const

type Deps = {
  store: Store
  sitesUrl: string
  apiUrl: string
  envKey: Buffer
  nowMs: () => number
  serverRoom: Room
}

/**
 * Creates the project named `reference`, or changes the one with that name or id; unchanged values aren't
 * written. A limited member changes those that it sees, but neither creates nor renames any.
 * @throws AppError `project_not_found` (an unknown id, or a rename of a missing project), `name_in_use`,
 * `no_room` (for servers that always run),
 * `role_required`, `invalid_input`, `team_not_found` (the team was deleted at that moment),
 * `sign_in_unavailable` (too many passwords are waiting).
 */
export async function putProject(
  deps: Deps,
  actor: Actor,
  reference: string,
  changes: ProjectChanges,
): Promise<ProjectRecord> {
  const { principal } = actor
  for (const field of ownerFields) if (changes[field] !== undefined) requireOwner(principal, `set ${field}`)
  for (const name of runtimeForOwners)
    if (changes.runtime === null || changes.runtime?.[name] !== undefined)
      requireOwner(principal, `set runtime.${name}`)
  const hashed = await hashChanges(deps.store, { teamId: principal.teamId, reference }, changes)
  const projectId = await saveProject(deps, actor, reference, hashed)
  return getProject(deps, principal, projectId)
}

async function saveProject(
  deps: Deps,
  actor: Actor,
  reference: string,
  changes: HashedChanges,
): Promise<string> {
  const { principal } = actor
  const { teamId } = principal
  const nowMs = deps.nowMs()
  try {
    return await deps.store.transact(async (tx) => {
      const { envKey, serverRoom } = deps
      const change = { tx, envKey, nowMs, userId: principal.userId, teamId, serverRoom }
      const known = await lockProject(tx, principal, reference)
      const renames = changes.name !== undefined && changes.name !== known?.name
      if (known && renames) requireWholeTeam(principal, 'rename a project')
      // Whether or not there is one.
      if (!known && principal.projects !== null) throw projectNotFound(reference)
      const project = known ?? (await createProject(change, teamId, reference, changes))
      const done = await updateProject(change, project, changes)
      if (known && done.changed.length === 0) return project.id
      tx.announce({ kind: 'project', id: project.id })
      const event = eventOf(
        teamId,
        { ...project, name: changes.name ?? project.name },
        done,
        known !== undefined,
      )
      await recordEvents(tx, { origin: originOf(actor), nowMs }, [event])
      return project.id
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const wanted = changes.name ?? reference
    // The same project was created at the same time: change that one.
    if (wanted === reference && !isId('project', reference))
      return saveProject(deps, actor, reference, changes)
    throw new AppError('name_in_use', `A project named ${wanted} exists. Choose another name.`, {
      cause: error,
    })
  }
}

type Current = ProjectSettings & { id: string }

/** The names of the changed fields, and what each was and is. */
type Done = { changed: string[]; changes: Change[] }

function eventOf(
  teamId: string,
  { id, name }: Current,
  { changed, changes }: Done,
  wasKnown: boolean,
): NewEvent {
  const project = { id, name }
  if (!wasKnown) {
    const data = { project, ...(changes.length > 0 && { changes }) }
    return { teamId, type: 'project.created', projectId: id, data }
  }
  return { teamId, type: 'project.updated', projectId: id, data: { project, changed, changes } }
}

async function lockProject(tx: Database, scope: Scope, reference: string): Promise<Current | undefined> {
  const column = isId('project', reference) ? projects.id : projects.name
  const [row] = await tx
    .select({ id: projects.id, ...settingColumns })
    .from(projects)
    .where(and(eq(projects.teamId, scope.teamId), eq(column, reference)))
    .for('no key update')
  return row && sees(scope, row.id) ? row : undefined
}

type ProjectChange = {
  tx: Database
  envKey: Buffer
  nowMs: number
  userId: string
  teamId: string
  serverRoom: Room
}

async function createProject(
  { tx, nowMs }: ProjectChange,
  teamId: string,
  reference: string,
  changes: HashedChanges,
): Promise<Current> {
  const renames = changes.name !== undefined && changes.name !== reference
  if (renames || isId('project', reference)) throw projectNotFound(reference)
  const name = projectNameSchema.safeParse(reference)
  if (!name.success) throw invalidField('project', name.error.issues[0]?.message ?? 'is not a valid name')
  await holdTeam(tx, teamId)
  const id = newId('project', nowMs)
  const productionHost = await takeProductionLabel(tx, teamId, reference)
  const row = { id, name: reference, ...defaults }
  const times = { createdMs: nowMs, updatedMs: nowMs, activeMs: nowMs }
  await tx.insert(projects).values({ ...row, ...times, teamId, productionHost })
  await assignLabel(tx, productionHost, { projectId: id, deploymentId: null })
  return row
}

async function updateProject(change: ProjectChange, project: Current, changes: HashedChanges): Promise<Done> {
  const { tx, nowMs } = change
  const { env, git } = changes
  const ofEnv = env === undefined ? [] : await changeEnv(change, project.id, env)
  const ofRepository = git === undefined ? [] : await changeRepository(change, project.id, git)
  const isFollowing = git === null || git?.production_branch === null
  const defaultBranch = isFollowing ? await findDefaultBranch(tx, project.id) : null
  const differing = Object.entries(wantedColumns(project, changes, defaultBranch)).filter(
    ([, set]) => set !== undefined && !isDeepStrictEqual({ ...project, ...set }, project),
  )
  const changed = differing.map(([field]) => field)
  if (ofEnv.length > 0) changed.push('env')
  if (ofRepository.length > 0 && !changed.includes('git')) changed.push('git')
  if (changed.length === 0) return { changed, changes: [] }
  const set: Partial<ProjectSettings> = {}
  for (const [, each] of differing) Object.assign(set, each)
  if (set.runtime) await requireRoomToKeep(change, project, set.runtime)
  if (set.branchAddresses === false)
    await releaseLabels(tx, and(eq(hosts.projectId, project.id), isNotNull(hosts.branch)), nowMs)
  await tx
    .update(projects)
    .set({
      ...set,
      // A new version invalidates the cookies of the old secret.
      ...(set.bypassSha256 !== undefined && { bypassVersion: sql`${projects.bypassVersion} + 1` }),
      // Who came with the old password is out.
      ...(set.passwordHash !== undefined &&
        project.passwordHash !== null && { accessVersion: sql`${projects.accessVersion} + 1` }),
      ...(set.previewTtlDays !== undefined && { previewsDueMs: 0 }),
      updatedMs: nowMs,
    })
    .where(eq(projects.id, project.id))
  const ofSettings = differing.flatMap(([field, each = {}]) => settingChanges(field, project, each))
  return { changed, changes: [...ofSettings, ...ofEnv, ...ofRepository] }
}
