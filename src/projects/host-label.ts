/** The labels below the sites' domain: which may be given out, and to whom. */

import { hash, randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { hosts } from '../db/schema/hosts.ts'
import { isReservedLabel } from '../names/reserved-labels.ts'

/**
 * Takes a production label for a new project: its name, or its name and 6 hex digits where that is reserved or taken.
 * A label that a deleted project of the same team and name had is given back to it; what other teams had isn't given.
 */
export async function takeProductionLabel(
  tx: Database,
  teamId: string,
  projectName: string,
): Promise<string> {
  // The digits tried first follow from team and name, so that the same ones come back.
  let suffix = hash('sha256', `${teamId}\n${projectName}`).slice(0, 6)
  for (;;) {
    for (const label of [projectName, `${projectName}-${suffix}`]) {
      if (!isReservedLabel(label) && (await takeLabel(tx, teamId, label))) return label
    }
    suffix = randomBytes(3).toString('hex')
  }
}

/** Takes a label for a deployment: the project's name and 12 random hex digits. */
export async function takeDeploymentLabel(
  tx: Database,
  teamId: string,
  projectName: string,
): Promise<string> {
  for (;;) {
    const label = `${projectName}-${randomBytes(6).toString('hex')}`
    if (await takeLabel(tx, teamId, label)) return label
  }
}

/** Points a label that was taken at a deployment, or with none at its project's production: a statement, or a part of one. */
export function assignLabel(
  tx: Database,
  label: string,
  to: { projectId: string; deploymentId: string | null },
) {
  return tx.update(hosts).set(to).where(eq(hosts.label, label)).returning({ label: hosts.label })
}

async function takeLabel(tx: Database, teamId: string, label: string): Promise<boolean> {
  const taken = await tx
    .insert(hosts)
    .values({ label, teamId })
    .onConflictDoUpdate({
      target: hosts.label,
      set: { teamId, freedMs: null },
      setWhere: sql`${hosts.teamId} = ${teamId} and ${hosts.projectId} is null and ${hosts.deploymentId} is null`,
    })
    .returning({ label: hosts.label })
    .prepare('take_label')
    .execute()
  return taken.length > 0
}

/** The address of the site at `label`: `http://localhost:8080` and `blog` give `http://blog.localhost:8080`. */
export function siteUrl(sitesUrl: string, label: string): string {
  return sitesUrl.replace('//', `//${label}.`)
}

/** The address of a domain at which a site is seen: scheme and port are those of the sites. */
export function domainUrl(sitesUrl: string, domain: string): string {
  return sitesUrl.replace(/\/\/[^:/]+/, `//${domain}`)
}
