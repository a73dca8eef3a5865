/** What a user at a terminal sees, through the pseudo-terminal of util-linux's `script`. */
import { spawn } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../src/api/client/index.ts'
import { suggestName } from '../../src/cli/project-file/write-project-file.ts'
import { eventually } from '../support/eventually.ts'
import { sharedNode, type TestNode, unique } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { newHome, svcMain } from './svc.ts'

let node: TestNode
let team: TestTeam
let home: string
let credentialsPath: string

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  ;({ home, credentialsPath } = await newHome())
})

/**
 * Types `keys` when `svc` prompts, and resolves to all that the terminal showed, then the exit code and its
 * echo.
 */
async function atTerminal(
  args: string[],
  { keys, env }: { keys?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const command =
    `'${process.execPath}' '${await svcMain()}' ${args.join(' ')}; echo "code $?"; ` +
    "stty -a | grep -o -- '-\\?echo '"
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      SVC_URL: node.apiUrl,
      TERM: 'xterm',
      SHELL: '/bin/sh',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  let typed = keys === undefined
  child.stdout.on('data', (chunk) => {
    output += chunk
    if (typed || !/[:\]] $/.test(stripVTControlCharacters(output))) return
    typed = true
    child.stdin.write(keys ?? '')
  })
  await new Promise((resolve) => child.once('close', resolve))
  return output.replaceAll('\r\n', '\n')
}

const isLinux = process.platform === 'linux'

describe.runIf(isLinux)('svc login at a terminal', () => {
  const question = () => `API key for ${node.apiUrl}: \n`

  it('prompts for the key and does not show it', async () => {
    const output = await atTerminal(['login'], { keys: `${team.ownerKey}\r` })
    expect(output).toBe(
      `${question()}Logged in to ${node.apiUrl} as owner of team ${team.slug}.\ncode 0\necho \n`,
    )
    expect(await readFile(credentialsPath, 'utf8')).toContain(team.ownerKey)
  })

  it.each([
    ['Ctrl-C', 'svc_\u0003'],
    ['the end of input', '\u0004'],
  ])('ends on %s, and the terminal echoes input again', async (_what, keys) => {
    expect(await atTerminal(['login'], { keys })).toBe(`${question()}svc: Interrupted.\ncode 130\necho \n`)
    await expect(readFile(credentialsPath)).rejects.toThrow('ENOENT')
  })
})

describe.runIf(isLinux)('a terminal', () => {
  let name: string

  beforeEach(async () => {
    name = unique('site')
    await createClient({ url: node.apiUrl, token: team.ownerKey }).projects.put.mutate({ project: name })
  })

  const loggedIn = (env = {}) => ({ env: { SVC_TOKEN: team.ownerKey, ...env } })

  it('gets columns under a heading, bold unless NO_COLOR is set', async () => {
    const [bold, bare] = await Promise.all([
      atTerminal(['projects'], loggedIn()),
      atTerminal(['projects'], loggedIn({ NO_COLOR: '1' })),
    ])
    const [heading = '', row] = bare.split('\n')
    expect(heading).toMatch(/^NAME +URL +LIVE +CHANGED$/)
    expect(row).toMatch(new RegExp(`^${name}  http://${name}\\.localhost:\\d+  - +\\d+s$`))
    expect(bold.startsWith(`\u001b[1m${heading}\u001b[22m\n`)).toBe(true)
  })

  it.each([
    ['n', 'svc: Nothing was changed.', 'code 1', 1],
    ['\u0003', 'svc: Interrupted.', 'code 130', 1],
    ['y', 'Deleted project ', 'code 0', 0],
  ])('is prompted before a project is removed: %j', async (answer, message, code, left) => {
    const output = await atTerminal(['projects', 'rm', name], { keys: `${answer}\r`, ...loggedIn() })
    expect(output).toContain(`Delete project ${name} with all its deployments? [y/N] `)
    expect(output).toContain(message)
    expect(output).toContain(`${code}\necho \n`)
    const { data } = await createClient({ url: node.apiUrl, token: team.ownerKey }).projects.list.query({})
    expect(data).toHaveLength(left)
  })

  it('gets the URL opened in its browser, which a pipe does not', async () => {
    const bin = join(home, 'bin')
    const opened = join(home, 'opened')
    await mkdir(bin)
    await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" >> ${opened}\n`)
    await chmod(join(bin, 'xdg-open'), 0o755)
    // As `npx` puts first what a repository brings along.
    const brought = join(home, 'repository/node_modules/.bin')
    await mkdir(brought, { recursive: true })
    await writeFile(join(brought, 'xdg-open'), `#!/bin/sh\necho brought along >> ${opened}\n`)
    await chmod(join(brought, 'xdg-open'), 0o755)
    const env = { ...loggedIn().env, PATH: `${brought}:${bin}:${process.env.PATH}` }
    const [url] = (await atTerminal(['open', name], { env })).split('\n')
    await atTerminal(['open', name, '|', 'cat'], { env: { ...env, DISPLAY: ':0' } })
    await expect(readFile(opened)).rejects.toThrow('ENOENT')
    await atTerminal(['open', name], { env: { ...env, DISPLAY: ':0' } })
    await eventually(async () => expect(await readFile(opened, 'utf8')).toBe(`${url}/\n`))
  })
})

describe.runIf(isLinux)('svc keys rm at a terminal', () => {
  it('prompts first, and warns about the key in use', async () => {
    const [key] = (await createClient({ url: node.apiUrl, token: team.ownerKey }).tokens.listKeys.query({}))
      .data
    const env = { SVC_TOKEN: team.ownerKey }
    const output = await atTerminal(['keys', 'rm', String(key?.id)], { keys: 'n\r', env })
    expect(output).toContain(`Revoke ${key?.id}, owner? It is the one in use now. [y/N] `)
    expect(output).toContain('svc: Nothing was changed.')
    expect((await team.owner('GET', '/v1/apikeys')).status).toBe(200)
  })
})

describe.runIf(isLinux)('svc deploy at a terminal', () => {
  const env = () => ({ SVC_TOKEN: team.ownerKey })
  let site: string

  beforeEach(async () => {
    site = join(home, 'site')
    await mkdir(site)
    await writeFile(join(site, 'index.html'), 'hello')
  })

  it('draws its progress, and removes that in the end', async () => {
    await team.owner('PUT', '/v1/projects/web')
    const output = await atTerminal(['deploy', site, '--project', 'web'], { env: env() })
    expect(output).toMatch(/\r\[[#-]{24}\] Reading 0\/1 files, 0 B of 5 B/)
    const [, left] = output.split('\r\u001b[K')
    expect(left).toMatch(
      /^dpl_\w+: 1 file, 5 B, a preview\.\nhttp:\/\/web-\w+\.localhost:\d+\ncode 0\necho \n$/,
    )
  })

  it('creates a missing project', async () => {
    const output = await atTerminal(['deploy', site, '--project', 'fresh'], { env: env() })
    expect(stripVTControlCharacters(output)).toContain('Created project fresh.')
    expect(output).toContain('code 0')
    const { body } = await team.owner('GET', '/v1/deployments?project=fresh')
    expect(body.data).toHaveLength(1)
  })

  it.each([
    ['an own answer', 'shop\r', 'shop'],
    ['return, which takes the name of the directory', '\r', suggestName(process.cwd())],
  ])('without a project prompts for one, and takes %s', async (_what, keys, project) => {
    const output = await atTerminal(['deploy', site], { keys, env: env() })
    expect(stripVTControlCharacters(output)).toMatch(/Project for this directory \[.*\]: /)
    const { body } = await team.owner('GET', `/v1/deployments?project=${project}`)
    expect(body.data).toHaveLength(1)
  })
})

describe.runIf(isLinux)('svc dns import at a terminal', () => {
  it.each([
    ['y', 0, 1],
    ['n', 1, 0],
  ])('shows the difference and prompts; after %s it ends with %i', async (answer, code, count) => {
    const domain = `${unique('zone')}.com`
    await team.owner('PUT', `/v1/domains/${domain}`)
    const file = join(home, 'zone')
    await writeFile(file, 'www 60 A 192.0.2.1\n')
    const env = { SVC_TOKEN: team.ownerKey }
    const output = await atTerminal(['dns', 'import', domain, file], { keys: `${answer}\r`, env })
    expect(stripVTControlCharacters(output)).toContain(
      `+ www 60 A 192.0.2.1\n${domain}: 1 added, 0 removed, 0 changed, 0 unchanged.\n` +
        `Apply these changes to ${domain}? [y/N]`,
    )
    expect(output).toContain(`code ${code}`)
    expect((await team.owner('GET', `/v1/domains/${domain}/records`)).body.data).toHaveLength(count)
  })
})
