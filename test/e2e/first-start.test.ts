/** A newcomer's first minutes, following the README. */
import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { newDataDirectory, type Program, startOnWhatIsThere, visit } from '../support/program.ts'

const run = promisify(execFile)

let directory = ''
let program: Program

beforeAll(async () => {
  directory = await newDataDirectory()
  program = await startOnWhatIsThere({ SVC_DATA_DIR: directory })
})

afterAll(async () => {
  await program.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

/** The commands that the README lists after the start. */
async function readmeCommands(): Promise<string> {
  const readme = await readFile('README.md', 'utf8')
  const [, block = ''] = /The first start prints[^`]*```sh\n([\s\S]*?)```/.exec(readme) ?? []
  return block
}

function cli(...args: string[]) {
  const env = { PATH: process.env.PATH, SVC_DATA_DIR: directory }
  return run(process.execPath, ['dist/svc.cjs', ...args], { env })
}

describe('the first start', () => {
  it('prints an owner key alone on a line, once', () => {
    expect(program.key).toMatch(/^svc_[0-9A-Za-z]{38}$/)
    expect(program.stdout().split(program.key ?? '?')).toHaveLength(2)
    expect(program.stdout()).toMatch(/owner key of your team[^\n]*\n\nsvc_\w+\n\n/)
  })

  it('first prints a link at which the first user sets a password, and never logs it', async () => {
    expect(program.stdout()).toMatch(/^\n?http\S+\/auth\/link\?token=\S+\n/)
    const [link = '?'] = /^http\S+\/auth\/link\?token=\S+$/m.exec(program.stdout()) ?? []
    const page = await fetch(link)
    expect({ status: page.status, url: page.url }).toEqual({ status: 200, url: link })
    expect(await page.text()).toContain('Set your password')
    expect(program.stderr()).not.toContain(link.split('=')[1])
  })

  it('leads to a live site with the commands of the README', async () => {
    const commands = (await readmeCommands()).replaceAll('http://localhost:3000', program.apiUrl)
    const home = await newDataDirectory()
    onTestFinished(() => rm(home, { recursive: true, force: true }))
    const running = run('sh', ['-e', '-c', commands], { env: { PATH: process.env.PATH, HOME: home } })
    running.child.stdin?.end(program.key)
    expect((await running).stdout.split('\n').at(-2)).toBe(program.siteUrl('hello'))
    const page = await visit(program.siteUrl('hello'))
    expect(page.status).toBe(200)
    expect(page.text).toBe(await readFile('examples/hello/site/index.html', 'utf8'))
    expect(await visit(`${program.siteUrl('hello')}/about`)).toMatchObject({ status: 200 })
  })

  it('creates and deploys a project with the first curl commands of the README', async ({ skip }) => {
    const hasCurl = await run('curl', ['--version']).then(
      () => true,
      () => false,
    )
    if (!hasCurl) return skip('curl is not installed')
    const readme = await readFile('README.md', 'utf8')
    const [, block = ''] = /Over HTTP[^`]*`[^`]*`[^`]*```sh\n([\s\S]*?)```/.exec(readme) ?? []
    const commands = block
      .replaceAll('http://localhost:3000', program.apiUrl)
      .replaceAll('hello', 'first-by-curl')
    const env = { PATH: process.env.PATH, SVC_TOKEN: program.key }
    await run('sh', ['-e', '-c', commands], { env })
    const page = await visit(program.siteUrl('first-by-curl'))
    expect(page).toMatchObject({ status: 200, text: '<h1>Hello</h1>' })
  })

  it('works with the example’s deploy script, too', { tags: 'long' }, async () => {
    const env = { PATH: process.env.PATH, SVC_TOKEN: program.key }
    const { stdout } = await run(process.execPath, ['examples/hello/deploy.mjs', program.apiUrl], { env })
    expect(stdout).toContain(`Live at ${program.siteUrl('hello')}`)
  })

  it('prints the same commands itself', async () => {
    const printed = program.stdout().replaceAll(program.apiUrl, 'http://localhost:3000')
    for (const line of (await readmeCommands()).trim().split('\n')) expect(printed).toContain(line)
  })

  it('has the command to install, and warns only of an exposed address', async () => {
    expect(program.stdout()).toContain(`npm install -g ${program.apiUrl}/svc.tgz`)
    expect(program.stdout()).not.toContain('Warning')
  })

  it('warns if the URL is plain http on a network', async () => {
    const elsewhere = await newDataDirectory()
    onTestFinished(() => rm(elsewhere, { recursive: true, force: true }))
    const exposed = await startOnWhatIsThere({ SVC_DATA_DIR: elsewhere, SVC_URL: 'http://svc.example' })
    onTestFinished(() => exposed.end('SIGTERM').then(() => {}))
    expect(exposed.stdout()).toMatch(/\/auth\/link\S+\n\n.*\n\nWarning: .*plain http/)
  })

  it('never writes the key into the log', () => {
    expect(program.stderr()).not.toContain(program.key)
  })
})

describe('svc admin key', () => {
  const countKeys = async (key: string) => {
    const response = await fetch(`${program.apiUrl}/v1/apikeys`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(response.status).toBe(200)
  }

  it('creates an owner key while the node runs', async () => {
    const { stdout, stderr } = await cli('admin', 'key')
    expect(stdout).toMatch(/^svc_[0-9A-Za-z]{38}\n$/)
    expect(stderr).toContain('printed only')
    await countKeys(stdout.trim())
  })

  it('creates one while the node is stopped, and a later start prints none', { tags: 'long' }, async () => {
    expect(await program.end('SIGTERM')).toBe(0)
    const { stdout } = await cli('admin', 'key')
    program = await startOnWhatIsThere({ SVC_DATA_DIR: directory })
    expect(program.key).toBeUndefined()
    await countKeys(stdout.trim())
    expect((await visit(program.siteUrl('hello'))).status).toBe(200)
  })
})

describe('svc admin plan', () => {
  const planOf = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${program.apiUrl}/v1/overview`, { headers })
    return Object(await response.json()).plan
  }

  it('sets a team’s plan, whether the node runs or not', { tags: 'long' }, async () => {
    const key = (await cli('admin', 'key')).stdout.trim()
    expect(await planOf(key)).toBe('free')
    expect((await cli('admin', 'plan', 'personal', 'pro')).stdout).toBe(
      'Team personal is now on the pro plan.\n',
    )
    expect(await planOf(key)).toBe('pro')
    await expect(cli('admin', 'plan', 'nobodys', 'pro')).rejects.toMatchObject({
      code: 1,
      stderr: 'svc: There is no team nobodys.\n',
    })
    expect(await program.end('SIGTERM')).toBe(0)
    expect((await cli('admin', 'plan', 'personal', 'enterprise', '--json')).stdout).toContain('"enterprise"')
    program = await startOnWhatIsThere({ SVC_DATA_DIR: directory })
    expect(await planOf(key)).toBe('enterprise')
  })
})

describe('svc admin user', () => {
  it('creates a sign-in link for an address while the node runs', async () => {
    const { stdout } = await cli('admin', 'user', 'ada@example.com')
    expect(stdout).toMatch(/^http:\/\/localhost:\d+\/auth\/link\?token=\S+\n$/)
    expect(await (await fetch(stdout.trim())).text()).toContain('value="ada@example.com"')
  })

  it('creates one while the node is stopped, which works after the next start', {
    tags: 'long',
  }, async () => {
    expect(await program.end('SIGTERM')).toBe(0)
    const { stdout } = await cli('admin', 'user', 'ada@example.com')
    program = await startOnWhatIsThere({ SVC_DATA_DIR: directory })
    const { search } = new URL(stdout.trim())
    expect((await fetch(`${program.apiUrl}/auth/link${search}`)).status).toBe(200)
  })

  it('refuses an invalid address', { tags: 'long' }, async () => {
    await expect(cli('admin', 'user', 'ada')).rejects.toMatchObject({
      code: 1,
      stderr: 'svc: email: should be an email address, such as ada@example.com\n',
    })
  })
})

describe('the data directory', () => {
  it('refuses a second process, with an error of one sentence', {
    tags: 'long',
    timeout: 20_000,
  }, async () => {
    await expect(startOnWhatIsThere({ SVC_DATA_DIR: directory })).rejects.toThrow(
      /The data directory .* is in use by process \d+/,
    )
  })
})

describe('an invalid setting', { tags: 'long' }, () => {
  it.each([
    [{ SVC_PORT: '99999' }, 'SVC_PORT should be a port from 0 to 65535.'],
    [{ SVC_ROLES: 'api,edges' }, 'SVC_ROLES should be a comma list of api, edge, worker, dns.'],
    [{ DATABASE_URL: 'postgres://localhost/x' }, 'SVC_ENCRYPTION_KEY is required with DATABASE_URL'],
    [{ SVC_URL: 'https://api.svc.site', SVC_EDGE_URL: 'https://svc.site' }, "below the sites' domain"],
  ])('%j stops the start and is named in the error', async (wrong, sentence) => {
    const environment: Record<string, string> = { SVC_DATA_DIR: await newDataDirectory() }
    await expect(startOnWhatIsThere(Object.assign(environment, wrong))).rejects.toThrow(sentence)
  })

  it('with an unknown name logs a warning with the nearest known name', async () => {
    const failing = startOnWhatIsThere({ SVC_DATA_DIR: directory, SVC_PROT: '1', SVC_PORT: 'x' })
    await expect(failing).rejects.toThrow('SVC_PROT is not a setting and is ignored. Did you mean SVC_PORT?')
  })
})
