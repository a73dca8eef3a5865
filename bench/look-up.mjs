/** The row that is looked up, and the bare server that looks it up, too. */
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { readUntil, serverCores, start } from './children.mjs'

const peer = fileURLToPath(new URL('peers/fastify-lookup.mjs', import.meta.url))

export const path = '/v1/projects/bench'

export const project = {
  build: { install_command: 'npm ci', build_command: 'npm run build', output_directory: 'dist' },
  env: [
    { key: 'API_BASE', value: 'https://api.example.com', target: ['production', 'preview'] },
    { key: 'ANALYTICS_ID', value: 'G-0000000', target: ['production'] },
  ],
}

/** Starts the bare server; with a `jwtSecret` it verifies a JWT with jose for each request. */
export async function startLookUpPeer(
  name,
  { databaseUrl, teamId, sitesHost, connections, jwtSecret = '' },
  headers,
) {
  const command = [process.execPath, peer, databaseUrl, String(connections), teamId, sitesHost, jwtSecret]
  const child = start(serverCores, command)
  const port = /\d+/.exec(await readUntil(child, /\d+\n/))?.[0]
  return { name, child, url: `http://127.0.0.1:${port}${path}`, headers }
}

export async function onlyTeam(databaseUrl) {
  const sql = postgres(databaseUrl, { max: 1 })
  try {
    const [team] = await sql`select id from teams`
    return team.id
  } finally {
    await sql.end()
  }
}
