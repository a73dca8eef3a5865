/** The application of `neighbour/server.js` on a platform, and what the machine has of it. */
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Platform } from './platform.ts'
import { send } from './visitor.ts'

/** `mark` stands in the command of its server, so that its processes are found. */
export type Neighbour = { url: string; mark: string; evaluate(script: string): Promise<unknown> }

/** Deploys it as a project of that name, with these variables and more files. */
export async function deployNeighbour(
  platform: Platform,
  name: string,
  { variables = [], files = {} }: { variables?: string[]; files?: Record<string, string> } = {},
): Promise<Neighbour> {
  const mark = `mark-${randomUUID()}`
  const program = await readFile(resolve('test/world/servers/neighbour/server.js'), 'utf8')
  const { url } = await platform.deploy({
    name,
    variables,
    files: {
      'server.js': program,
      Procfile: `web: node server.js ${mark}\n`,
      ...files,
    },
  })
  return {
    url,
    mark,
    async evaluate(script) {
      return JSON.parse((await send(url, '/', { method: 'POST', body: script })).text)
    },
  }
}

/** The processes of the machine in whose command the text stands. */
export async function processesWith(text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return commands.filter((command) => command.includes(text))
}
