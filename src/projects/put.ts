/** Creates or configures a project at its name; safe to repeat. */

import { hash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Principal } from '../auth/principal.ts'
import { requireOwner } from '../auth/roles.ts'
import { holdTeam } from '../auth/teams/lock.ts'
import { isUniqueViolation } from '../db/failures.ts'
import type { Database } from '../db/open.ts'
import { type BuildSettings, projects } from '../db/schema/projects.ts'
import type { Store } from '../db/store.ts'
import { AppError, invalidField } from '../errors.ts'
import { isId, newId } from '../ids.ts'
import { changeEnv, type EnvChange } from './env.ts'
import { assignLabel, takeProductionLabel } from './host-label.ts'
import { projectNameSchema } from './name.ts'
import { getProject, type ProjectRecord, projectNotFound } from './read.ts'

/** What a caller may set; a field left out keeps its value, `null` clears it back to its default. */
export type ProjectChanges = {
  name?: string | undefined
  build?: { [K in keyof BuildSettings]?: BuildSettings[K] | null | undefined } | null | undefined
  env?: EnvChange[] | null | undefined
  protection?: ProjectRecord['protection'] | null | undefined
  bypass_secret?: string | null | undefined
  auto_promote?: boolean | null | undefined
  preview_ttl_days?: number | null | undefined
  spa?: boolean | null | undefined
}

const defaultBuild: BuildSettings = {
  install_command: null,
  build_command: null,
  output_directory: 'dist',
  root_directory: '.',
}

const defaults = { protection: 'none', autoPromote: true, spa: false } as const

const ownerFields = ['protection', 'bypass_secret', 'auto_promote'] as const

type Deps = { store: Store; sitesUrl: string; envKey: Buffer; nowMs: () => number }

/**
 * Creates the project named `reference`, or changes the one that `reference` names or identifies.
 * @throws AppError `project_not_found` (an unknown id, or a rename of what isn't there), `name_in_use`,
 * `role_required`, `invalid_input`, `team_not_found` (the team was deleted at that moment).
 */
export async function putProject(
  deps: Deps,
  principal: Principal,
  reference: string,
  changes: ProjectChanges,
): Promise<ProjectRecord> {
  for (const field of ownerFields) if (changes[field] !== undefined) requireOwner(principal, `set ${field}`)
  const projectId = await saveProject(deps, principal.teamId, reference, changes)
  return getProject(deps, principal.teamId, projectId)
}

async function saveProject(
  deps: Deps,
  teamId: string,
  reference: string,
  changes: ProjectChanges,
): Promise<string> {
  const nowMs = deps.nowMs()
  try {
    return await deps.store.transact(async (tx, announce) => {
      const known = await lockProject(tx, teamId, reference)
      const project = known ?? (await createProject(tx, teamId, reference, changes, nowMs))
      await updateProject(tx, project, changes, nowMs)
      if (changes.env !== undefined) await changeEnv(tx, deps.envKey, project.id, changes.env, nowMs)
      announce({ kind: 'project', id: project.id })
      return project.id
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const wanted = changes.name ?? reference
    // Somebody created the same project at the same time: then this is a change of that one.
    if (wanted === reference && !isId('project', reference))
      return saveProject(deps, teamId, reference, changes)
    throw new AppError('name_in_use', `A project named ${wanted} exists. Choose another name.`, {
      cause: error,
    })
  }
}

type Current = { id: string; build: BuildSettings }

async function lockProject(tx: Database, teamId: string, reference: string): Promise<Current | undefined> {
  const column = isId('project', reference) ? projects.id : projects.name
  const [row] = await tx
    .select({ id: projects.id, build: projects.build })
    .from(projects)
    .where(and(eq(projects.teamId, teamId), eq(column, reference)))
    .for('no key update')
  return row
}

async function createProject(
  tx: Database,
  teamId: string,
  reference: string,
  changes: ProjectChanges,
  nowMs: number,
): Promise<Current> {
  const renames = changes.name !== undefined && changes.name !== reference
  if (renames || isId('project', reference)) throw projectNotFound(reference)
  const name = projectNameSchema.safeParse(reference)
  if (!name.success) throw invalidField('project', name.error.issues[0]?.message ?? 'is not a valid name')
  await holdTeam(tx, teamId)
  const id = newId('project', nowMs)
  const productionHost = await takeProductionLabel(tx, teamId, reference)
  await tx.insert(projects).values({
    id,
    teamId,
    name: reference,
    productionHost,
    build: defaultBuild,
    ...defaults,
    createdMs: nowMs,
    updatedMs: nowMs,
  })
  await assignLabel(tx, productionHost, { projectId: id, deploymentId: null })
  return { id, build: defaultBuild }
}

async function updateProject(
  tx: Database,
  project: Current,
  changes: ProjectChanges,
  nowMs: number,
): Promise<void> {
  const { name, build, protection, auto_promote, preview_ttl_days, spa } = changes
  await tx
    .update(projects)
    .set({
      ...(name !== undefined && { name }),
      ...(build !== undefined && {
        build: mergeBuild(build === null ? defaultBuild : project.build, build ?? {}),
      }),
      ...(protection !== undefined && { protection: protection ?? defaults.protection }),
      ...(auto_promote !== undefined && { autoPromote: auto_promote ?? defaults.autoPromote }),
      ...(preview_ttl_days !== undefined && { previewTtlDays: preview_ttl_days }),
      ...(spa !== undefined && { spa: spa ?? defaults.spa }),
      ...bypassChange(changes.bypass_secret),
      updatedMs: nowMs,
    })
    .where(eq(projects.id, project.id))
}

/** A new secret gets a new version, which ends the cookies that were given for the old one. */
function bypassChange(secret: string | null | undefined) {
  if (secret === undefined) return {}
  return {
    bypassSha256: secret === null ? null : hash('sha256', secret),
    bypassVersion: sql`${projects.bypassVersion} + 1`,
  }
}

/** `base` with the settings that `changes` names; a `null` among them goes back to its default. */
export function mergeBuild(
  base: BuildSettings,
  changes: NonNullable<ProjectChanges['build']>,
): BuildSettings {
  const pick = <K extends keyof BuildSettings>(key: K) => {
    const value = changes[key]
    if (value === undefined) return base[key]
    return value === null ? defaultBuild[key] : value
  }
  return {
    install_command: pick('install_command'),
    build_command: pick('build_command'),
    output_directory: pick('output_directory') ?? defaultBuild.output_directory,
    root_directory: pick('root_directory') ?? defaultBuild.root_directory,
  }
}
