/** The units of deploy/systemd, judged by systemd where it is installed: they load, and expose little. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const isInstalled = await run('systemd-analyze', ['--version']).then(
  () => true,
  () => false,
)

describe.runIf(isInstalled || process.env.CI)('systemd', () => {
  let root: string
  let units: string

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'svc-units-'))
    units = join(root, 'etc/systemd/system')
    await cp('deploy/systemd', units, { recursive: true })
  })

  afterAll(() => rm(root, { recursive: true }))

  it.each([
    ['svc@api', 2.5],
    ['svc@edge', 5],
    ['svc@dns', 2.5],
    ['svc@worker', 5],
    ['svc', 5],
  ])('rates the exposure of %s at most %d', async (unit, most) => {
    const args = ['security', '--offline=true', `--root=${root}`, '--no-pager', `${unit}.service`]
    const { stdout } = await run('systemd-analyze', args)
    const [, level] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? []
    expect(Number(level)).toBeGreaterThan(0)
    expect(Number(level)).toBeLessThanOrEqual(most)
  })

  it.each(['svc@api', 'svc@edge', 'svc@dns', 'svc@worker', 'svc'])(
    'loads %s without a complaint',
    async (unit) => {
      // The colon adds the places of the system, which has the targets.
      const env = { ...process.env, SYSTEMD_UNIT_PATH: `${units}:` }
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', `${unit}.service`], { env })
      expect(stderr).toBe('')
    },
  )
})

const unitFiles = ['deploy/systemd/svc.service', 'deploy/systemd/svc@.service']

it.each(unitFiles)('%s gives a node more time to stop than it takes', async (file) => {
  const text = await readFile(file, 'utf8')
  const stopMs = Number(/SVC_STOP_MS=(\d+)/.exec(text)?.[1])
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]) * 1000).toBeGreaterThan(stopMs)
})

const sandboxFiles = ['worker', 'edge'].map((role) => `deploy/systemd/svc@${role}.service.d/sandbox.conf`)

it('edges may isolate servers as workers isolate builds', async () => {
  const [worker, edge] = await Promise.all(
    sandboxFiles.map(async (file) =>
      (await readFile(file, 'utf8')).split('\n').filter((line) => !line.startsWith('#')),
    ),
  )
  expect(edge).toEqual(worker)
})

it.each(['deploy/systemd/svc.service', ...sandboxFiles])(
  '%s delegates a control group, which the node may write to',
  async (file) => {
    const text = await readFile(file, 'utf8')
    expect(text).toMatch(/^Delegate=memory\b/m)
    expect(text).toMatch(/^ProtectControlGroups=no$/m)
  },
)

it.each(unitFiles)('%s lets V8 write code, without which Node ends at once', async (file) => {
  expect(await readFile(file, 'utf8')).toMatch(/^MemoryDenyWriteExecute=no$/m)
})

it('the settings file of the example sets nothing', async () => {
  const lines = (await readFile('deploy/systemd/svc.env.example', 'utf8')).split('\n')
  expect(lines.filter((line) => !/^(?:#.*|[A-Z_\d]+=|)$/.test(line))).toEqual([])
})
