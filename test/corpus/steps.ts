/** Sites from inputs: a team with a project, the command for it, and what visitors get. */
import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { newHome, type Svc } from '../cli/svc.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'

export type Case = { node: TestNode; team: TestTeam; home: string; svc: Svc }

/** A new team with the project `web`, and `svc` as its owner. */
export async function newCase(settings: Record<string, unknown> = {}): Promise<Case> {
  const node = await sharedNode()
  const team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web', settings)
  const { home, svc } = await newHome()
  const env = { SVC_URL: node.apiUrl, SVC_TOKEN: team.ownerKey }
  return {
    node,
    team,
    home,
    svc: (args, options) => svc(args, { ...options, env: { ...env, ...options?.env } }),
  }
}

/** Writes the files below `directory`; names are written byte for byte. */
export async function writeFiles(directory: string, files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), content)
  }
}

export type Response = { status: number; headers: Record<string, unknown>; body: string }

/** The response of the site at `url` to a target that is sent as it stands. */
export function respond(url: string, target: string, method = 'GET'): Promise<Response> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const headers = { host: `${hostname}:${port}` }
    const sent = request({ host: '127.0.0.1', port, path: target, method, headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
