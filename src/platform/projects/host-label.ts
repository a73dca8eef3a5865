/** Allocates labels below the sites' domain. */

import { hash, randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { isReservedLabel } from '../../lib/names/reserved-labels.ts'
import type { Database } from '../../stores/db/database.ts'
import { hosts } from '../../stores/db/schema/hosts.ts'
import { branchLabel, pullRequestLabel, withDigits } from './branch-label.ts'

/**
 * Allocates a production label for a new project: its name, or its name and 6 hex digits if that is reserved
 * or taken. A label of a deleted project of the same team and name is reused; other teams' labels aren't.
 */
export async function takeProductionLabel(
  tx: Database,
  teamId: string,
  projectName: string,
): Promise<string> {
  // The first digits are derived from team and name, so that the same label is found again.
  let suffix = hash('sha256', `${teamId}\n${projectName}`).slice(0, 6)
  for (;;) {
    for (const label of [projectName, `${projectName}-${suffix}`]) {
      if (!isReservedLabel(label) && (await takeLabel(tx, teamId, label))) return label
    }
    suffix = randomBytes(3).toString('hex')
  }
}

/** Allocates a label for a deployment: the project's name and 12 random hex digits. */
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

/** Allocates a label for a branch: the one that it had before, if nobody else has it. */
export async function takeBranchLabel(
  tx: Database,
  teamId: string,
  { project, branch }: { project: string; branch: string },
): Promise<string> {
  const seed = `${teamId}\n${project}\n${branch}`
  return takeOwnLabel(tx, teamId, { wanted: branchLabel(project, branch), seed })
}

/** Allocates a label for a pull request of a fork, likewise: `web-pr-7`. */
export async function takePullRequestLabel(
  tx: Database,
  teamId: string,
  { project, number }: { project: string; number: number },
): Promise<string> {
  const seed = `${teamId}\n${project}\npull request ${number}`
  return takeOwnLabel(tx, teamId, { wanted: pullRequestLabel(project, number), seed })
}

/** The one that is wanted, or with digits of the seed, by which it is found again. */
async function takeOwnLabel(
  tx: Database,
  teamId: string,
  { wanted, seed }: { wanted: string; seed: string },
): Promise<string> {
  let label = wanted
  let digits = hash('sha256', seed)
  while (!(await takeLabel(tx, teamId, label))) {
    label = withDigits(wanted, digits)
    digits = randomBytes(3).toString('hex')
  }
  return label
}

/**
 * Points an allocated label at a deployment, which is the newest of `branch` or `pullRequest` if one is
 * given, or with none at its project's production: a statement, or a part of one.
 */
export function assignLabel(
  tx: Database,
  label: string,
  to: { projectId: string; deploymentId: string | null; branch?: string; pullRequest?: number },
) {
  return tx.update(hosts).set(to).where(eq(hosts.label, label)).returning({ label: hosts.label })
}

const isFree = sql`${hosts.projectId} is null and ${hosts.deploymentId} is null`

async function takeLabel(tx: Database, teamId: string, label: string): Promise<boolean> {
  const taken = await tx
    .insert(hosts)
    .values({ label, teamId })
    .onConflictDoUpdate({
      target: hosts.label,
      set: { teamId, freedMs: null, branch: null, pullRequest: null },
      setWhere: sql`${hosts.teamId} = ${teamId} and ${isFree}`,
    })
    .returning({ label: hosts.label })
    .prepare('take_label')
    .execute()
  return taken.length > 0
}

/** The URL of the site at `label`: `http://localhost:8080` and `blog` give `http://blog.localhost:8080`. */
export function siteUrl(sitesUrl: string, label: string): string {
  return sitesUrl.replace('//', `//${label}.`)
}

/** Base addresses of the sites below the sites' domain, and of domains with a certificate. */
export type SiteUrls = { sitesUrl: string; certifiedUrl: string }

/** The URL of a domain, with the scheme and port of the base address. */
export function domainUrl(baseUrl: string, domain: string): string {
  return baseUrl.replace(/\/\/[^:/]+/, `//${domain}`)
}
