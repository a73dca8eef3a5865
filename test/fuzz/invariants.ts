/** Invariants of a database, whatever was called, and of a node's log. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { dumpTables } from '../support/dump.ts'
import type { TestNode } from '../support/node.ts'
import type { Victim } from './victim.ts'

/** The rows of a team. */
export async function rowsOf(node: TestNode, { teamId, secret }: Victim): Promise<Record<string, string[]>> {
  const words = [teamId, secret]
  const tables = Object.entries(await dumpTables(node)).map(([table, rows]): [string, string[]] => [
    table,
    rows.filter((row) => words.some((word) => row.includes(word))),
  ])
  return Object.fromEntries(tables)
}

const countOf = z.array(z.object({ count: z.coerce.number() }))

/** Each finds rows that must not exist. */
const contradictions: Record<string, SQL> = {
  'a ready deployment without its files': sql`
    select 1 from deployments left join manifests on manifests.id = manifest_id
    where state = 'ready' and (manifests.id is null or released_ms is not null)`,
  'a deployment that counts other files than it has': sql`
    select 1 from deployments where state = 'ready'
      and files <> (
        select count(*) from manifest_entries where manifest_entries.manifest_id = deployments.manifest_id)`,
  'a file without stored bytes, or with those of another team': sql`
    select 1 from manifests join manifest_entries on manifest_id = manifests.id
    left join blobs on blobs.id = blob_id
    where released_ms is null and (blobs.id is null or blobs.team_id <> manifests.team_id)`,
  'a manifest without a reference that is never collected': sql`
    select 1 from manifests where released_ms is null and not exists (
      select from deployments where manifests.id in (manifest_id, source_manifest_id, server_manifest_id))`,
  'a live deployment that is of another project, or not ready': sql`
    select 1 from projects join deployments on deployments.id = production_deployment_id
    where project_id <> projects.id or state <> 'ready'`,
  'a deployment of another team than its project': sql`
    select 1 from deployments join projects on projects.id = project_id
    where deployments.team_id <> projects.team_id`,
  'a deployment without its host': sql`
    select 1 from deployments left join hosts on hosts.label = deployments.host
    where hosts.deployment_id is distinct from deployments.id`,
  'a project without its host': sql`
    select 1 from projects left join hosts on label = production_host
    where project_id is distinct from projects.id or hosts.deployment_id is not null`,
  'an invalid project name': sql`select 1 from projects where name !~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'`,
  'an invalid host label': sql`select 1 from hosts where label !~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'`,
  'a domain with a project of another team': sql`
    select 1 from domains join projects on projects.id = project_id
    where domains.team_id <> projects.team_id`,
  'an invalid domain name': sql`
    select 1 from domains
    where domain !~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]+$' or length(domain) > 253`,
  'an incomplete redirect': sql`
    select 1 from domains where (redirect_to is null) <> (redirect_status is null)`,
  'a record in a zone of another team, or outside of it': sql`
    select 1 from records join domains on domains.id = domain_id
    where records.team_id <> domains.team_id or (fqdn <> domain and fqdn not like '%.' || domain)`,
  'a CNAME beside another record': sql`
    select 1 from records as a join records as b on a.team_id = b.team_id and a.fqdn = b.fqdn and a.id <> b.id
    where a.type = 'CNAME'`,
  'two identical records': sql`
    select 1 from records as a join records as b on a.team_id = b.team_id
      and a.fqdn = b.fqdn and a.type = b.type
      and a.value = b.value and a.priority is not distinct from b.priority
      and a.weight is not distinct from b.weight
      and a.port is not distinct from b.port and a.id < b.id`,
  'two TTLs at one name and type': sql`
    select 1 from records group by team_id, fqdn, type having count(distinct ttl) > 1`,
  'a webhook for a project of another team': sql`
    select 1 from webhooks join projects on webhooks.projects ? projects.id
    where webhooks.team_id <> projects.team_id`,
  'more webhooks than a team may have': sql`select 1 from webhooks group by team_id having count(*) > 50`,
  'a deleted team that still has something': sql`
    select 1 from teams where deleted_ms is null and not exists (
      select from members where members.team_id = teams.id and role = 'owner')`,
  'a deleted team that has something': sql`
    select 1 from teams where deleted_ms is not null and (
      exists (select from members where members.team_id = teams.id)
      or exists (select from api_keys where api_keys.team_id = teams.id)
      or exists (select from projects where projects.team_id = teams.id)
      or exists (select from domains where domains.team_id = teams.id)
      or exists (select from webhooks where webhooks.team_id = teams.id))`,
  'a call with an Idempotency-Key that never ended': sql`select 1 from idempotency_keys where answer is null`,
  'a secret in a stored response': sql`
    select 1 from idempotency_keys where answer::text like '%"token"%' or answer::text like '%whsec_%'`,
  'a verified domain without a proof': sql`
    select 1 from domains as a where verified_ms is not null and not exists (
      select from domains as b where b.team_id = a.team_id and b.proven_ms is not null
        and (a.domain = b.domain or a.domain like '%.' || b.domain))`,
}

/** Contradictions in the node's database, and how often each occurs. */
export async function brokenInvariants(node: TestNode): Promise<string[]> {
  const { db } = node.installation.store
  const broken: string[] = []
  for (const [name, rows] of Object.entries(contradictions)) {
    const result: unknown = await db.execute(sql`select count(*)::int as count from (${rows}) as found`)
    const [row] = countOf.parse(Array.isArray(result) ? [...result] : Object(result).rows)
    if (row?.count !== 0) broken.push(`${name}: ${row?.count}`)
  }
  return broken
}

/** Discards what a node logs while it is called, except for internal errors. */
export function watchLog({ logged }: TestNode): () => string[] {
  const errors: string[] = []
  const take = (): void => {
    const lines = logged.splice(0)
    errors.push(...lines.filter((line) => JSON.parse(line).level >= 50))
  }
  const timer = setInterval(take, 500)
  return () => {
    clearInterval(timer)
    take()
    return errors.slice(0, 3)
  }
}

/** The megabytes of the heap in use after garbage collection. */
export function heapMegabytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed / 1e6
}
