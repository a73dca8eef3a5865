import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, inject, it, vi } from 'vitest'
import { limitsFrom } from '../../../../src/platform/sandbox/limits.ts'
import { build, exited, testTimeout } from '../../builds/build.ts'

vi.setConfig({ testTimeout })

const secret = 'this-is-of-the-host'
const server = createServer((_request, response) => response.end(secret)).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined
// Without a time limit of its own: without a network, the kernel refuses at once.
const fetching = (url: string) => `node -e 'fetch("${url}").then((r) => r.text()).then(console.log)'`
const loopback = fetching(`http://127.0.0.1:${port}/`)

afterAll(() => server.close())

describe('the host’s files', () => {
  it.each([
    ['accounts', 'grep -c root: /etc/passwd; test ! -e /etc/shadow'],
    ['homes', '! ls -d /root /home 2>/dev/null | grep .'],
    [
      'services',
      '! ls -d /run /srv /mnt /boot /sys /etc/hostname /etc/systemd /var/lib 2>/dev/null | grep .',
    ],
    ['disks', '! ls /dev | grep -E "^(sd|vd|nvme|mem|kmsg)"'],
    ['kernel settings', '! echo 1 2>/dev/null >/proc/sys/kernel/panic'],
  ])('%s do not exist in the sandbox', async (_name, command) => {
    const { ended, text } = await build(command)
    expect({ ended, text: text.replace(/^0$/m, '') }).toEqual({ ended: exited(0), text: '' })
  })

  it('such as the data directory are visible without a sandbox only', async () => {
    const path = join(inject('directory'), 'of-the-host')
    await writeFile(path, secret)
    expect((await build(`cat ${path}`, { isolation: 'none' })).text).toBe(secret)
    expect((await build(`cat ${path}`)).text).toMatch(/No such file/)
  })

  it('cannot be written, nor what exists for the build outside its own directories', async () => {
    for (const path of [
      '/x',
      '/etc/x',
      '/etc/passwd',
      '/usr/bin/x',
      '/dev/x',
      '/build/x',
      '/build/start',
      '/var/x',
    ]) {
      expect([path, (await build(`echo x > ${path}`)).ended]).toEqual([
        path,
        expect.not.objectContaining({ code: 0 }),
      ])
    }
  })
})

describe('an in-memory file system', () => {
  it('is read-only or has a size limit', async () => {
    const { text } = await build(`grep ' tmpfs ' /proc/self/mounts`)
    const mounts = text.split('\n').map((line) => line.split(' '))
    expect(mounts.length).toBeGreaterThan(2)
    for (const [, , , options] of mounts) expect(options).toMatch(/^ro,|size=65536k/)
  })
})

describe('the host’s processes', () => {
  it('are invisible', async () => {
    const { text } = await build(`ls /proc | grep -E '^[0-9]+$' | wc -l`)
    expect(Number(text)).toBeLessThan(10)
    expect((await build(`ls -d /proc/${process.pid}/fd`, { isolation: 'none' })).ended).toEqual(exited(0))
    expect((await build('kill -0 -- -1; cat /proc/1/cmdline')).text).toContain('init')
  })

  it("reveal none of their environment, and the build's is in no command line", async () => {
    const env = { TOKEN: 'only-in-the-build' }
    const { text } = await build('env', { env })
    expect(text).toContain('TOKEN=')
    expect(text).not.toContain('VITEST')
    let onLine = () => {}
    const started = new Promise<void>((resolve) => {
      onLine = resolve
    })
    const running = build('echo started; sleep 1', { env, onLine: () => onLine() })
    await started
    // Some end while they are listed.
    const list = 'cat /proc/[0-9]*/cmdline 2>/dev/null; true'
    const { stdout } = await promisify(execFile)('sh', ['-c', list])
    expect(stdout).not.toContain('only-in-the-build')
    await running
  })
})

describe('privileges', () => {
  it('are those of nobody, and nothing grants others', async () => {
    const { text } = await build(
      'id -u; grep -E "^(Cap|NoNewPrivs)" /proc/self/status; cat /proc/self/status | grep Groups',
    )
    const [uid] = text.split('\n')
    expect(Number(uid)).toBeGreaterThan(60_000)
    expect(text).toMatch(/CapEff:\s*0+\nCapBnd:\s*0+\nCapAmb:\s*0+\nNoNewPrivs:\s*1/)
  })

  it('differ from build to build, so that they do not share a limit', async () => {
    if (process.getuid?.() !== 0) return
    const [first, second] = await Promise.all([build('id -u; sleep 1'), build('id -u; sleep 1')])
    expect(first.text).not.toBe(second.text)
  })
})

describe('the network', () => {
  it('has none of the host’s services on its loopback, and nothing beyond', async () => {
    const own = await build(loopback)
    expect(own.text).toContain('ECONNREFUSED')
    expect(own.text).not.toContain(secret)
    expect(
      (await build('ls /sys/class/net 2>/dev/null; tail -n +3 /proc/net/dev | cut -d: -f1')).text.trim(),
    ).toBe('lo')
    const metadata = await build(fetching('http://169.254.169.254/'))
    expect(metadata.text).toMatch(/ENETUNREACH|unreachable/)
  })

  it('is the host’s if that is allowed', async () => {
    expect((await build(loopback, { network: 'host' })).text).toContain(secret)
  })
})

describe('a build has the lowest priority', () => {
  const { niceness } = limitsFrom({ timeoutS: 1, memoryBytes: 1, diskBytes: 1 })

  it('from its first process on', async () => {
    const { text } = await build('nice; ionice', { limits: { niceness } })
    expect(text).toBe('19\nidle')
  })

  it.runIf(existsSync('/proc/self/autogroup')).each([
    ['in its own session', ''],
    ['in sessions that it creates', 'setsid --wait'],
  ])('also %s, once that was noticed', async (_where, session) => {
    const wait = 'until grep -q "nice 19" /proc/self/autogroup; do sleep 0.1; done'
    const { ended } = await build(`${session} sh -c '${wait}'`, { limits: { niceness, wallMs: 30_000 } })
    expect(ended).toEqual(exited(0))
  })
})
