/** Fills the database of a node with as many rows as are asked for. */
import { readFile } from 'node:fs/promises'
import postgres from 'postgres'

/** They are dropped and made again: in all, that takes a third of the time. */
const isSlow = `
  select indexname, indexdef
  from pg_indexes join pg_class on relname = indexname and pg_indexes.schemaname = 'public'
  where tablename in
    ('deployments', 'hosts', 'events', 'log_lines', 'manifest_entries', 'deliveries', 'records', 'domains')
    and not exists (select from pg_constraint where conindid = pg_class.oid)`

/**
 * Makes `rows` deployments, events and lines of logs, and of the others in proportion; half of all is of the
 * team of `svc`, and a quarter of the project web. See fill.sql.
 */
export async function fill(svc, databaseUrl, rows) {
  const web = await made(svc, 'PUT', '/v1/projects/web')
  const shop = await made(svc, 'PUT', '/v1/projects/zz-shop')
  const zone = await made(svc, 'PUT', '/v1/domains/bigzone.com')
  for (const name of ['web', 'zz-shop']) await svc.deploy(name, 'index.html', Buffer.from('<h1>Hello</h1>'))
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const [team] =
      await sql`select team_id, (select max(id) from blobs) as blob from projects where id = ${web.id}`
    const settings = {
      rows,
      team: team.team_id,
      project: web.id,
      shop: shop.id,
      blob: team.blob,
      zone: zone.id,
    }
    for (const [name, value] of Object.entries(settings)) {
      await sql`select set_config(${`fill.${name}`}, ${String(value)}, false)`
    }
    // Without foreign keys, and as nobody else is there.
    await sql.unsafe(`
      set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB';
      set maintenance_work_mem = '512MB'`)
    const indexes = await sql.unsafe(isSlow)
    for (const { indexname } of indexes) await sql.unsafe(`drop index ${indexname}`)
    await sql.unsafe(await readFile(new URL('fill.sql', import.meta.url), 'utf8'))
    for (const { indexdef } of indexes) await sql.unsafe(indexdef)
    await sql.unsafe('vacuum analyze')
  } finally {
    await sql.end()
  }
}

async function made(svc, method, path) {
  const { ok, answer } = await svc.call(method, path)
  if (!ok) throw new Error(`${method} ${path} was answered with ${answer.message}`)
  return answer
}
