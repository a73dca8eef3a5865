/**
 * A build's attempts to escape the sandbox: by the kernel's other interfaces, and by what its creator left
 * open.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { launch } from '../../../../src/platform/sandbox/launch.ts'
import { type Exceeded, watchUse } from '../../../../src/platform/sandbox/watch.ts'
import { giveToOwner, removeWorkspace } from '../../../../src/platform/sandbox/workspace.ts'
import { unreserved } from '../../../../src/stores/data-dir/disk-reserve.ts'
import { compile } from '../../../stores/data-dir/compiled.ts'
import { build, exited, mebibyte, newWorkspace, testLimits, testTimeout } from '../../builds/build.ts'
import { rawCall } from '../../builds/raw-call.ts'
import { ownNode } from '../own-node.ts'

vi.setConfig({ testTimeout })

describe('a build’s system calls', () => {
  it('create no namespaces and mount nothing', async () => {
    const { text } = await build('unshare -Ur true; unshare -m true; unshare -Urm mount -t tmpfs none /tmp')
    expect(text.match(/^unshare: .*not permitted$/gm)?.length).toBe(3)
  })

  const notPermitted = 1
  const badCall = 128 + 31
  /** How a kernel without 32-bit programs ends a call of one. */
  const noSuchCalls = 128 + 11
  const calls: [what: string, program: Buffer, ended: number, orElse?: number][] = [
    ['getpid, which is allowed', rawCall(39), 0],
    ['a user namespace', rawCall(272, [0x1000_0000]), notPermitted],
    ['a user namespace for a new process', rawCall(56, [0x1000_0011]), notPermitted],
    ['clone3, whose flags no filter can read', rawCall(435, [0, 88]), 38],
    ['the session keyring', rawCall(250, [0, 0xffff_fffd]), notPermitted],
    ['the host, by AF_VSOCK', rawCall(41, [40, 1]), 97],
    ['SCTP, whose buffers nobody counts', rawCall(41, [2, 1, 132]), 93],
    ['io_uring', rawCall(425, [1, 0]), notPermitted],
    ['the mounts with their sources', rawCall(458), notPermitted],
    ['the same call for i386', rawCall(20, [], 'interrupt'), badCall, noSuchCalls],
    ['the same call for x32', rawCall(0x4000_0000 + 39), badCall],
  ]

  it.runIf(process.arch === 'x64')(
    'fail if no build needs them, and kill the caller for a foreign calling convention',
    async () => {
      const files = Object.fromEntries(calls.map(([, program], index) => [`call${index}`, program]))
      const { lines } = await build(
        `chmod +x call*; for i in $(seq 0 ${calls.length - 1}); do ./call$i; echo $?; done`,
        { files },
      )
      const codes = lines.filter(({ stream }) => stream === 'stdout').map(({ text }) => Number(text))
      expect(calls.map(([what], index) => [what, codes[index]])).toEqual(
        calls.map(([what, , ended, orElse], index) => [what, codes[index] === orElse ? orElse : ended]),
      )
    },
  )

  it('are enough for npm, Node with its threads, esbuild and git', async () => {
    // The binary itself: what `esbuild` has in its place depends on whether its install script ran.
    const esbuild = createRequire(import.meta.url).resolve(`@esbuild/linux-${process.arch}/bin/esbuild`)
    const { ended, text } = await build(
      `chmod +x esbuild && git init -q . && git add in.ts &&
       git -c user.name=a -c user.email=a@b.c commit -qm first &&
       git clone -q . copy && git -C copy log --format=%s && npm run -s build`,
      {
        files: {
          esbuild: await readFile(esbuild),
          'in.ts': `import { Worker } from 'node:worker_threads'
            import { spawnSync } from 'node:child_process'
            const greeting: string = 'built'
            new Worker('console.log("in a thread")', { eval: true }).on('exit', () => {
              console.log(greeting, spawnSync('echo', ['by a child']).stdout.toString())
            })`,
          'package.json': JSON.stringify({
            scripts: { build: './esbuild in.ts --bundle --platform=node --outfile=out.js && node out.js' },
          }),
        },
      },
    )
    expect([ended, text]).toEqual([exited(0), expect.stringMatching(/first.*in a thread.*built by a child/s)])
  })
})

it('has no open files but its output, even if its parent left others open', async () => {
  const compiled = await compile(
    'platform/sandbox/run-sandboxed.ts',
    'platform/sandbox/limits.ts',
    'stores/data-dir/disk-reserve.ts',
  )
  const workspace = await newWorkspace('bubblewrap')
  await writeFile(
    join(compiled, 'builder.js'),
    `import { runSandboxed } from './dist/platform/sandbox/run-sandboxed.js'
     import { limitsFrom } from './dist/platform/sandbox/limits.js'
     import { unreserved } from './dist/stores/data-dir/disk-reserve.js'
     for (const isolation of ['bubblewrap', 'none']) await runSandboxed({
       isolation, workspace: ${JSON.stringify(workspace)}, directory: '.', env: {}, network: 'none',
       node: { path: process.execPath, reservedBytes: 0 },
       command: 'readlink /proc/$$/fd/*; ' +
         'cat /proc/self/fd/20/../../etc/passwd /proc/self/fd/20/../etc/passwd',
       limits: limitsFrom({ timeoutS: 100, memoryBytes: 5e8, diskBytes: 5e8 }),
       redactor: { redact: (text) => text, longest: 0 }, signal: new AbortController().signal,
       disk: unreserved,
       nowMs: Date.now,
       onLine: ({ text }) => console.log(text),
     })`,
  )
  const script = 'exec 20<"$0" 30</etc/passwd; exec "$@"'
  const { stdout } = await promisify(execFile)('bash', [
    ...['-c', script, '/usr/bin', process.execPath, join(compiled, 'builder.js')],
  ])
  await removeWorkspace(workspace)
  const open = stdout.split('\n').filter((line) => !/^(\/dev\/null|(socket|pipe):\[\d+\]|)$/.test(line))
  expect(open.filter((line) => !line.includes('/proc/self/fd/20/'))).toEqual([])
  expect(open.length).toBe(4)
})

describe('memory', () => {
  // Files alone can reach the limit, when no process is left that could be killed for it.
  const hoard = 'while cat /dev/zero >>/dev/shm/hoard; do :; done; sleep 1000'
  const memoryBytes = 40 * mebibyte

  it('that belongs to no process is limited, and exceeding it is reported as such', async () => {
    const { ended } = await build(hoard, { limits: { memoryBytes } })
    expect(ended).toEqual({ how: 'memory_limit' })
  })

  it.runIf(process.arch === 'x64')(
    'of no process can’t be had without a control group, where Node, npm and esbuild work all the same',
    async () => {
      const workspace = await newWorkspace('bubblewrap')
      const esbuild = createRequire(import.meta.url).resolve('@esbuild/linux-x64/bin/esbuild')
      const files = {
        memfd: rawCall(319, [0]),
        secret: rawCall(447, [0]),
        buffer: rawCall(54, [0, 1, 7]),
        esbuild: await readFile(esbuild),
        'in.ts': `import { Worker } from 'node:worker_threads'
          new Worker('console.log("in a thread")', { eval: true })`,
        'package.json': JSON.stringify({
          scripts: { build: './esbuild in.ts --bundle --platform=node --outfile=out.js && node out.js' },
        }),
      }
      for (const [name, content] of Object.entries(files)) {
        await writeFile(join(workspace.files, name), content)
      }
      await giveToOwner(workspace)
      const command =
        'chmod +x memfd secret buffer esbuild; ./memfd; ' +
        'echo $?; ./secret; echo $?; ./buffer; echo $?; ulimit -n; npm run -s build; echo ended $?'
      const { child } = await launch(
        {
          isolation: 'bubblewrap',
          workspace,
          limits: testLimits,
          network: 'none',
          node: ownNode,
          directory: '.',
          env: {},
          command,
        },
        undefined,
      )
      let text = ''
      child.stdout?.on('data', (chunk) => {
        text += String(chunk)
      })
      child.stderr?.resume()
      await once(child, 'close')
      await removeWorkspace(workspace)
      expect(text.split('\n')).toEqual(['38', '1', '1', '1024', 'in a thread', 'ended 0', ''])
    },
  )

  /**
   * Two processes with connections to themselves, and nothing in them: what they could hold is what counts.
   */
  const holdSockets = (connections: number, seconds: number) => `cat >peers.js <<'END'
    const { createServer, connect } = require('node:net')
    const path = '/tmp/' + process.pid
    let open = 0
    const server = createServer((socket) => {
      socket.pause()
      open += 1
      if (open === ${connections}) setTimeout(() => process.exit(), ${seconds} * 1_000)
    })
    server.listen(path, () => { for (let index = 0; index < ${connections}; index += 1) connect(path) })
END
    node peers.js & node peers.js & wait`

  /** Which limit it exceeds where there is no control group; undefined if it ends by itself. */
  async function exceededBy(command: string, most: number): Promise<Exceeded | undefined> {
    const workspace = await newWorkspace('bubblewrap')
    const limits = { ...testLimits, memoryBytes: most }
    const launched = await launch(
      {
        isolation: 'bubblewrap',
        workspace,
        limits,
        network: 'none',
        node: ownNode,
        directory: '.',
        env: {},
        command,
      },
      undefined,
    )
    const { child } = launched
    child.stdout?.resume()
    child.stderr?.resume()
    let exceeded: Exceeded | undefined
    const endWatch = watchUse(
      { pid: child.pid ?? 0, workspace, limits, group: undefined, disk: unreserved },
      (what) => {
        exceeded = what
        launched.kill()
      },
    )
    await once(child, 'close')
    endWatch()
    await removeWorkspace(workspace)
    return exceeded
  }

  it('that belongs to no process is counted without a control group, too', async () => {
    expect(await exceededBy(hoard, memoryBytes)).toBe('memory_limit')
    expect(await exceededBy(holdSockets(450, 100), 250 * mebibyte)).toBe('memory_limit')
    // What a tool with many workers has.
    expect(await exceededBy(holdSockets(50, 2), 250 * mebibyte)).toBeUndefined()
  })
})
