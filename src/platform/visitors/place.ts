/** The host of a project that a share link opens. */
import { and, eq } from 'drizzle-orm'
import { invalidField } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { hosts } from '../../stores/db/schema/hosts.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { domainUrl, type SiteUrls, siteUrl } from '../projects/host-label.ts'
import { type ProductionDomain, productionDomains } from '../projects/production-domains.ts'
import { projectNotFound } from '../projects/read.ts'

export type LinkedProject = {
  id: string
  name: string
  productionHost: string
  productionDomains: ProductionDomain[]
}

/** `host` is as the edge knows the site, `origin` as a browser does. */
export type Place = { host: string; origin: string }

/** The project, whose changes wait for the end of the transaction. @throws AppError `project_not_found`. */
export async function lockProject(tx: Database, teamId: string, reference: string): Promise<LinkedProject> {
  const column = isId('project', reference) ? projects.id : projects.name
  const [project] = await tx
    .select({
      id: projects.id,
      name: projects.name,
      productionHost: projects.productionHost,
      productionDomains,
    })
    .from(projects)
    .where(and(eq(projects.teamId, teamId), eq(column, reference)))
    .for('no key update')
  if (!project) throw projectNotFound(reference)
  return project
}

/** The place of a host name in any case, by default of production. @throws AppError `invalid_input`. */
export async function placeOf(
  tx: Database,
  { sitesUrl, certifiedUrl }: SiteUrls,
  project: LinkedProject,
  name: string | undefined,
): Promise<Place> {
  const given = name?.toLowerCase().replace(/:\d+$/, '')
  const sitesHost = new URL(sitesUrl).hostname
  const domain = project.productionDomains.find((each) => each.domain === given)
  if (domain) {
    const { domain: host, certified } = domain
    return { host, origin: domainUrl(certified ? certifiedUrl : sitesUrl, host) }
  }
  const label = given === undefined ? project.productionHost : labelOf(given, sitesHost)
  const [row] =
    label === undefined
      ? []
      : await tx
          .select({ label: hosts.label })
          .from(hosts)
          .where(and(eq(hosts.label, label), eq(hosts.projectId, project.id)))
  if (row) return { host: row.label, origin: siteUrl(sitesUrl, row.label) }
  const message = 'is no host of this project: pass that of a deployment, of production, or a verified domain'
  throw invalidField('host', message)
}

/** The host name of a host as the edge knows it. */
export function hostNameOf(sitesUrl: string, host: string): string {
  return host.includes('.') ? host : `${host}.${new URL(sitesUrl).hostname}`
}

function labelOf(name: string, sitesHost: string): string | undefined {
  const end = `.${sitesHost}`
  return name.endsWith(end) ? name.slice(0, -end.length) : undefined
}
