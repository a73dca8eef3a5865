/**
 * The look-up of a project with nothing around it: Fastify, postgres.js, one prepared statement; no key is
 * checked, nothing validated or logged. With a secret a JWT is verified for each request, by jose. Arguments:
 * address of the database, how many connections to it, id of the team, host of the sites, the secret (may be
 * empty).
 */
import { fastify } from 'fastify'
import { jwtVerify } from 'jose'
import postgres from 'postgres'

const [databaseUrl, maxConnections, teamId, sitesHost, jwtSecret] = process.argv.slice(2)

const sql = postgres(databaseUrl, {
  max: Number(maxConnections),
  types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
})

const query = `
  select id, name, build, (
      select coalesce(json_agg(json_build_object('key', key, 'target', targets, 'branch', null,
          'updated_ms', updated_ms)
        order by key), '[]')
      from (
        select key, json_agg(target order by target desc) as targets, max(updated_ms) as updated_ms
        from project_env where project_id = projects.id group by key
      ) as variables
    ) as env,
    protection, bypass_sha256 is not null as bypass_set, password_hash is not null as password_set,
    auto_promote, preview_ttl_days, spa, hsts, branch_addresses, start, note,
    jsonb_build_object('memory_bytes', 536870912, 'health_path', null, 'idle_s', 900, 'min', 0,
      'network', 'none', 'ports', null, 'release', null) || runtime as runtime,
    json_build_object('production_branch', production_branch, 'provider', null, 'url', null,
      'root_directory', null, 'watch', '[]'::json, 'skip_unchanged', true, 'close_days', null, 'forks', false,
      'token_set', false, 'secret_set', false, 'hook_url', null, 'production_branch_by', production_branch_by,
      'connected_by', null, 'connected_by_name', null, 'connected_by_role', null) as git,
    production_host, production_deployment_id as production_deployment,
    (select coalesce(json_agg(domain order by domain), '[]')
      from domains where project_id = projects.id) as domains,
    (select coalesce(json_agg(json_build_object('name', branch, 'url', label, 'deployment', deployment_id)
        order by deployment_id desc), '[]')
      from hosts where project_id = projects.id and branch is not null) as branches,
    created_ms, updated_ms
  from projects where team_id = $1 and name = $2`

const app = fastify()
if (jwtSecret) {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', Buffer.from(jwtSecret), hmac, false, ['verify'])
  app.addHook('onRequest', async (request) => {
    const [, token] = request.headers.authorization.split(' ')
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] })
    if (payload.tenant !== teamId) throw new Error('Another team.')
  })
}
app.get('/v1/projects/:project', async (request, reply) => {
  const [row] = await sql.unsafe(query, [teamId, request.params.project], { prepare: true })
  if (!row) return reply.code(404).send({ message: 'There is no such project.' })
  const { production_host, ...project } = row
  return { ...project, production_url: `http://${production_host}.${sitesHost}` }
})
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(app.server.address().port)
