/** The host of a project that a share link opens. */
import { and, eq } from 'drizzle-orm'
import { invalidField } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { hosts } from '../../stores/db/schema/hosts.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import { isSeen, type Scope } from '../callers/scope.ts'
import { domainUrl, type SiteUrls, siteUrl } from '../projects/host-label.ts'
import { type ProductionDomain, productionDomains } from '../projects/production-domains.ts'
import { projectNotFound } from '../projects/read-project.ts'
import { projectAt } from './access.ts'

export type LinkedProject = {
  id: string
  name: string
  protection: (typeof projects.$inferSelect)['protection']
  productionHost: string
  productionDomains: ProductionDomain[]
}

/** `host` is as the edge knows the site, `origin` as a browser does; an open one everybody sees. */
export type Place = { host: string; origin: string; isOpen: boolean }

/** The project, whose changes wait for the end of the transaction. @throws AppError `project_not_found`. */
export async function lockProject(tx: Database, scope: Scope, reference: string): Promise<LinkedProject> {
  const project = await findLocked(tx, scope, reference)
  if (!project) throw projectNotFound(reference)
  return project
}

/** The same for the team's project that has this host. @throws AppError `invalid_input`. */
export async function lockProjectAt(
  tx: Database,
  sitesUrl: string,
  scope: Scope,
  name: string,
): Promise<LinkedProject> {
  const given = plainName(name)
  const projectId = await projectAt(tx, labelOf(given, sitesUrl) ?? given)
  const project = projectId === undefined ? undefined : await findLocked(tx, scope, projectId)
  if (!project) throw noHost()
  return project
}

async function findLocked(tx: Database, scope: Scope, reference: string) {
  const column = isId('project', reference) ? projects.id : projects.name
  const [project] = await tx
    .select({
      id: projects.id,
      name: projects.name,
      protection: projects.protection,
      productionHost: projects.productionHost,
      productionDomains,
    })
    .from(projects)
    .where(and(eq(projects.teamId, scope.teamId), eq(column, reference), isSeen(scope, projects.id)))
    .for('no key update')
  return project
}

/** The place of a host name in any case, by default of production. @throws AppError `invalid_input`. */
export async function placeOf(
  tx: Database,
  { sitesUrl, certifiedUrl }: SiteUrls,
  project: LinkedProject,
  name: string | undefined,
): Promise<Place> {
  const given = name === undefined ? undefined : plainName(name)
  const { protection } = project
  const domain = project.productionDomains.find((each) => each.domain === given)
  if (domain) {
    const { domain: host, certified } = domain
    const origin = domainUrl(certified ? certifiedUrl : sitesUrl, host)
    return { host, origin, isOpen: protection !== 'all' }
  }
  const label = given === undefined ? project.productionHost : labelOf(given, sitesUrl)
  const [row] =
    label === undefined
      ? []
      : await tx
          .select({ label: hosts.label, pinned: hosts.deploymentId, untrusted: deployments.untrusted })
          .from(hosts)
          .leftJoin(deployments, eq(deployments.id, hosts.deploymentId))
          .where(and(eq(hosts.label, label), eq(hosts.projectId, project.id)))
  if (!row) throw noHost()
  const isOpen = protection === 'none' ? row.untrusted !== true : protection !== 'all' && row.pinned === null
  return { host: row.label, origin: siteUrl(sitesUrl, row.label), isOpen }
}

function noHost() {
  return invalidField('host', 'must be the host of a deployment or of production, or a verified domain')
}

/** The host name of a host as the edge knows it. */
export function hostNameOf(sitesUrl: string, host: string): string {
  return host.includes('.') ? host : `${host}.${new URL(sitesUrl).hostname}`
}

/** Without a port, in lower case. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/:\d+$/, '')
}

function labelOf(name: string, sitesUrl: string): string | undefined {
  const end = `.${new URL(sitesUrl).hostname}`
  return name.endsWith(end) ? name.slice(0, -end.length) : undefined
}
