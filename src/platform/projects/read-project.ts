/** Projects as clients see them: one, or a page of them by name. */
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { afterName, type Page, pageOf } from '../../stores/db/page.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { branchEnv } from '../../stores/db/schema/branch-env.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { hosts } from '../../stores/db/schema/hosts.ts'
import { projectRepositories } from '../../stores/db/schema/project-repositories.ts'
import { projectEnv, projects, type RuntimeSettings } from '../../stores/db/schema/projects.ts'
import { members, users } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import { isSeen, type Scope, sees } from '../callers/scope.ts'
import { sameValue } from './env.ts'
import { fields } from './fields.ts'
import { forgeHookUrl } from './forge-hook.ts'
import { siteUrl } from './host-label.ts'
import { domainList, type ProductionDomain, showsProduction } from './production-domains.ts'
import type { ListProjects } from './project-input.ts'
import { type ProjectRecord, withoutRepository } from './project-output.ts'
import { runtimeOf } from './runtime-settings.ts'
import { pageOfNames } from './search.ts'
import { byField, repositoryPairs } from './setting-columns.ts'

/** An entry for each value of a variable, with the targets or the branch that have it. */
const env = sql<ProjectRecord['env']>`(
  select coalesce(json_agg(json_build_object('key', key, 'target', targets, 'branch', branch,
    'updated_ms', updated_ms) order by key, branch nulls first, targets::text desc), '[]')
  from (
    select ${projectEnv.key} as key,
      json_agg(${projectEnv.target} order by ${projectEnv.target} desc) as targets, null as branch,
      max(${projectEnv.updatedMs}) as updated_ms
    from ${projectEnv} where ${projectEnv.projectId} = ${projects.id} group by ${projectEnv.key}, ${sameValue}
    union all
    select ${branchEnv.key}, '["preview"]'::json, ${branchEnv.branch}, ${branchEnv.updatedMs}
    from ${branchEnv} where ${branchEnv.projectId} = ${projects.id}
  ) as variables)`

type Attached = { all: string[]; serving: ProductionDomain[] }

/** The names of all attached domains, and those that serve its production. */
const attached = sql<Attached>`(
  select json_build_object('all', coalesce(json_agg(${domains.domain} order by ${domains.domain}), '[]'),
    'serving', coalesce(${domainList} filter (where ${showsProduction}), '[]'))
  from ${domains} where ${domains.projectId} = ${projects}.id)`

type Repository = Omit<ProjectRecord['git'], 'production_branch' | 'production_branch_by' | 'hook_url'>

const repository = sql<Repository | null>`(
  select json_build_object('provider', ${projectRepositories.provider}, 'url', ${projectRepositories.url},
    ${repositoryPairs},
    'token_set', ${projectRepositories.tokenSealed} is not null,
    'secret_set', ${projectRepositories.secretSealed} is not null,
    'connected_by', ${projectRepositories.connectedBy},
    'connected_by_name', (select ${users.name} from ${users}
      where ${users.id} = ${projectRepositories.connectedBy}),
    'connected_by_role', (select ${members.role} from ${members}
      where ${members.teamId} = ${projects}.team_id
        and ${members.userId} = ${projectRepositories.connectedBy}))
  from ${projectRepositories} where ${projectRepositories.projectId} = ${projects}.id)`

const columns = {
  id: projects.id,
  name: projects.name,
  build: projects.build,
  runtime: projects.runtime,
  env,
  ...byField(fields),
  bypass_set: sql<boolean>`${projects.bypassSha256} is not null`,
  password_set: sql<boolean>`${projects.passwordHash} is not null`,
  production_branch: projects.productionBranch,
  production_branch_by: projects.productionBranchBy,
  repository,
  production_host: projects.productionHost,
  production_deployment: projects.productionDeploymentId,
  attached,
  created_ms: projects.createdMs,
  updated_ms: projects.updatedMs,
}

type BranchRow = { name: string; label: string; deployment: string }

/** Not in lists, where there may be 200 for each project. Ids are in the order of time. */
const branches = sql<BranchRow[]>`(
  select coalesce(json_agg(json_build_object('name', ${hosts.branch}, 'label', ${hosts.label},
    'deployment', ${hosts.deploymentId}) order by ${hosts.deploymentId} desc), '[]')
  from ${hosts} where ${hosts.projectId} = ${projects}.id and ${hosts.branch} is not null)`

/** A project with its production label, for `production_url`, and its serving domains. */
export type KnownProject = ProjectRecord & { production_host: string; production_domains: ProductionDomain[] }

type Row = Omit<
  KnownProject,
  'git' | 'runtime' | 'production_url' | 'domains' | 'production_domains' | 'branches'
> & {
  runtime: Partial<RuntimeSettings>
  production_branch: string | null
  production_branch_by: ProjectRecord['git']['production_branch_by']
  repository: Repository | null
  attached: Attached
  branches?: BranchRow[]
}

type Urls = { sitesUrl: string; apiUrl: string }

function toRecord({ sitesUrl, apiUrl }: Urls, row: Row): KnownProject {
  // The output schema strips other columns; copying the rest here would cost as much again.
  const { production_host, production_branch, production_branch_by, repository, attached, branches } = row
  const production = {
    production_branch,
    production_branch_by: production_branch === null ? null : production_branch_by,
  }
  return Object.assign(row, {
    branches: branches?.map(({ name, label, deployment }) => ({
      name,
      url: siteUrl(sitesUrl, label),
      deployment,
    })),
    // Assigned, since a second spread into one literal costs ten times as much.
    git: repository
      ? Object.assign(production, repository, { hook_url: forgeHookUrl(apiUrl, row.id) })
      : Object.assign(production, withoutRepository),
    runtime: runtimeOf(row.runtime),
    production_url: siteUrl(sitesUrl, production_host),
    domains: attached.all,
    production_domains: attached.serving,
  })
}

function selectBy(db: Database, reference: SQL) {
  return db
    .select({ ...columns, branches })
    .from(projects)
    .where(and(eq(projects.teamId, sql.placeholder('teamId')), reference))
}

const byName = prepared((db) =>
  selectBy(db, eq(projects.name, sql.placeholder('reference'))).prepare('project_by_name'),
)
const byId = prepared((db) =>
  selectBy(db, eq(projects.id, sql.placeholder('reference'))).prepare('project_by_id'),
)

type ReadDeps = Urls & { store: Store }

/** The error for a project that the caller doesn't see, whether or not it exists. */
export function projectNotFound(reference: string): AppError {
  return new AppError('project_not_found', `The team has no project ${reference}.`)
}

/** The project of this name or id that the caller sees. @throws AppError `project_not_found`. */
export async function getProject(deps: ReadDeps, scope: Scope, reference: string): Promise<KnownProject> {
  const { lookUps } = deps.store
  const query = isId('project', reference) ? byId(lookUps) : byName(lookUps)
  const [row] = await query.execute({ teamId: scope.teamId, reference })
  if (!row || !sees(scope, row.id)) throw projectNotFound(reference)
  return toRecord(deps, row)
}

const idByName = prepared((db) => selectId(db, projects.name).prepare('project_id_by_name'))
const idById = prepared((db) => selectId(db, projects.id).prepare('project_id_by_id'))

function selectId(db: Database, column: typeof projects.name | typeof projects.id) {
  return db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.teamId, sql.placeholder('teamId')), eq(column, sql.placeholder('reference'))))
}

/** The id of the project of this name or id that the caller sees. @throws AppError `project_not_found`. */
export async function findProjectId(lookUps: Database, scope: Scope, reference: string): Promise<string> {
  const query = isId('project', reference) ? idById(lookUps) : idByName(lookUps)
  const [project] = await query.execute({ teamId: scope.teamId, reference })
  if (!project || !sees(scope, project.id)) throw projectNotFound(reference)
  return project.id
}

/** The id of the project of this name or id, for comparisons; one that isn't seen equals nothing. */
export function projectIdOf(db: Database, scope: Scope, reference: string): SQL {
  const column = isId('project', reference) ? projects.id : projects.name
  const found = db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.teamId, scope.teamId), eq(column, reference), isSeen(scope, projects.id)))
  return sql`(${found})`
}

/** The projects that the caller sees by name; `q` filters by a part of the name. */
export async function listProjects(
  deps: ReadDeps,
  scope: Scope,
  { limit, cursor, q }: ListProjects,
): Promise<Page<ProjectRecord>> {
  const after = afterName(cursor, projects.name)
  const rows = await deps.store.db
    .select(columns)
    .from(projects)
    .where(pageOfNames(scope, q, after, limit + 1))
    .orderBy(asc(projects.name))
    .limit(limit + 1)
  const page = pageOf(rows, limit, (row) => [row.name])
  return { ...page, data: page.data.map((row) => toRecord(deps, row)) }
}
