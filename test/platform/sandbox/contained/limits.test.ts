import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { canLimitMemory } from '../../../../src/platform/sandbox/memory-group.ts'
import { clearWorkspaces } from '../../../../src/platform/sandbox/workspace.ts'
import { compile } from '../../../stores/data-dir/compiled.ts'
import { eventually } from '../../../support/eventually.ts'
import { build, exited, mebibyte, newWorkspace, testTimeout } from '../../builds/build.ts'
import { withArgument } from '../../builds/processes.ts'

vi.setConfig({ testTimeout })

const hog = `node -e 'const all = []; for (;;) all.push(Buffer.alloc(4e6, 1))'`

describe('a build that exceeds a limit is ended', () => {
  it('when it takes too long', async () => {
    const { ended } = await build('sleep 4711', { limits: { wallMs: 1_500 } })
    expect(ended).toEqual({ how: 'timeout' })
    expect(await withArgument('4711')).toEqual([])
  })

  it('when it uses too much processor time', { tags: 'long' }, async () => {
    const { ended } = await build('while :; do :; done', { limits: { cpuSeconds: 1 } })
    expect(ended).toMatchObject({ how: 'exited', signal: expect.stringMatching(/SIGXCPU|SIGKILL/) })
  })

  it('when it prints without end', async () => {
    const lines = vi.fn()
    const { ended, text } = await build('yes | head -c 10G; sleep 100', {
      limits: { logBytes: mebibyte },
      onLine: lines,
    })
    expect(ended).toEqual({ how: 'log_limit' })
    expect(text.length).toBeLessThan(mebibyte)
  })

  it('when it prints one endless line', async () => {
    const { ended, lines } = await build('head -c 10G /dev/zero; sleep 100', {
      limits: { logBytes: mebibyte },
    })
    expect(ended).toEqual({ how: 'log_limit' })
    expect(Math.max(...lines.map(({ text }) => text.length))).toBeLessThanOrEqual(8_192)
  })

  it('when it fills the disk, by one file or many', async () => {
    const one = await build('head -c 1G /dev/zero > big; sleep 100', { limits: { diskBytes: 20 * mebibyte } })
    expect(one.ended).toEqual({ how: 'disk_limit' })
    const many = 'i=0; while :; do head -c 5M /dev/zero > $i; i=$((i + 1)); sleep 0.1; done'
    expect((await build(many, { limits: { diskBytes: 20 * mebibyte } })).ended).toEqual({ how: 'disk_limit' })
  })

  it('when it fills the disk with unlinked or temporary files', async () => {
    const held =
      'for i in 3 4 5 6; do eval "exec $i>held"; rm held; head -c 9M /dev/zero >&$i; done; sleep 100'
    expect((await build(held, { limits: { diskBytes: 20 * mebibyte } })).ended).toEqual({ how: 'disk_limit' })
    const temporary = 'for i in 1 2 3 4 5 6; do head -c 9M /dev/zero > /tmp/$i; done; sleep 100'
    expect((await build(temporary, { limits: { diskBytes: 20 * mebibyte } })).ended).toEqual({
      how: 'disk_limit',
    })
  })

  it('when it uses too much memory, by one process or many', async () => {
    const limits = { memoryBytes: 150 * mebibyte }
    // If the kernel limits no groups, a process without more memory may end by itself.
    const short = expect.stringMatching(/memory_limit|exited/)
    const one = await build(hog, { limits })
    expect(one.ended).toEqual(expect.not.objectContaining({ code: 0 }))
    expect(one.ended.how).toEqual(short)
    const part = `node -e 'const all = Buffer.alloc(60e6, 1); setTimeout(() => all.fill(2), 60000)'`
    const many = await build(`for i in 1 2 3 4; do ${part} & done; wait`, { limits })
    expect(many.ended).toEqual({ how: 'memory_limit' })
  })

  it('when it uses too much memory, and goes on without the part that was killed for it', async () => {
    const limits = { memoryBytes: 150 * mebibyte }
    const { ended } = await build(`(${hog}); exit 0`, { limits })
    const isGrouped = await canLimitMemory(limits.memoryBytes)
    // Where the kernel limits no groups, the part ended by itself.
    expect(ended).toEqual(isGrouped ? { how: 'memory_limit' } : exited(0))
  })

  it('and a fork bomb is contained', { tags: 'long' }, async () => {
    const seen: number[] = []
    const running = build('b() { b | b & }; b; sleep 1; b; sleep 100', {
      limits: { processes: 40, wallMs: 2_500 },
    })
    const look = setInterval(async () => seen.push((await withArgument('/build/start')).length), 200)
    const { ended } = await running
    clearInterval(look)
    expect(ended.how).toMatch(/timeout|exited/)
    expect(Math.max(...seen)).toBeLessThanOrEqual(60)
    expect(await withArgument('b | b')).toEqual([])
  })
})

describe('no process is left', () => {
  it('of a build that ended, though it started daemons', async () => {
    const { ended } = await build('(setsid sleep 4712 >/dev/null 2>&1 &) ; setsid -f sleep 4712; sleep 0.2')
    expect(ended).toEqual(exited(0))
    expect(await withArgument('4712')).toEqual([])
  })

  it('of one that is canceled, at once', async () => {
    const stopping = new AbortController()
    let abortedMs = 0
    const { ended } = await build(
      '(setsid sleep 4713 &); trap "" TERM INT; echo ready; while :; do sleep 4713; done',
      {
        signal: stopping.signal,
        onLine: () => {
          abortedMs ||= performance.now()
          stopping.abort()
        },
      },
    )
    expect(ended).toEqual({ how: 'aborted' })
    expect(performance.now() - abortedMs).toBeLessThan(5_000)
    expect(await withArgument('4713')).toEqual([])
  })

  it('of one that was canceled before it began, or while it was set up', async () => {
    expect((await build('echo x', { signal: AbortSignal.abort() })).ended).toEqual({ how: 'aborted' })
    const stopping = new AbortController()
    setTimeout(() => stopping.abort(), 5)
    expect((await build('sleep 4714', { signal: stopping.signal })).ended).toEqual({ how: 'aborted' })
    expect(await withArgument('4714')).toEqual([])
  })

  it('when the process that started it dies', async () => {
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
       await runSandboxed({
         isolation: 'bubblewrap', workspace: ${JSON.stringify(workspace)}, directory: '.',
         node: { path: process.execPath, reservedBytes: 0 },
         command: 'echo up; setsid sleep 4715',
         env: {}, limits: limitsFrom({ timeoutS: 100, memoryBytes: 5e8, diskBytes: 5e8 }), network: 'none',
         redactor: { redact: (text) => text, longest: 0 }, signal: new AbortController().signal,
         disk: unreserved,
         nowMs: Date.now,
         onLine: ({ text }) => console.log(text),
       })`,
    )
    const builder = spawn(process.execPath, [join(compiled, 'builder.js')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(builder.stdout, 'data')
    const dead = once(builder, 'exit')
    builder.kill('SIGKILL')
    await dead
    await eventually(async () => expect(await withArgument('4715')).toEqual([]))
    await clearWorkspaces(dirname(workspace.directory))
    await expect(access(workspace.directory)).rejects.toThrow('ENOENT')
  })
})

describe('without a sandbox', () => {
  it('limits and cancels apply to the process group', async () => {
    const isolation = 'none'
    expect((await build('exit 4', { isolation })).ended).toEqual(exited(4))
    expect((await build('sleep 4716 & sleep 4716', { isolation, limits: { wallMs: 500 } })).ended).toEqual({
      how: 'timeout',
    })
    expect((await build('yes', { isolation, limits: { logBytes: 100_000 } })).ended).toEqual({
      how: 'log_limit',
    })
    const full = await build('head -c 1G /dev/zero > big; sleep 100', {
      isolation,
      limits: { diskBytes: 20 * mebibyte },
    })
    expect(full.ended).toEqual({ how: 'disk_limit' })
    expect((await build('sleep 4716 & echo', { isolation })).ended).toEqual(exited(0))
    expect(await withArgument('4716')).toEqual([])
  })

  it('a process that left the group does not delay the end', async () => {
    const { ended } = await build('setsid -f sleep 7; echo done', { isolation: 'none' })
    expect(ended).toEqual(exited(0))
  })
})

it('the workspace is removed whatever the build did to it', async () => {
  let directory = ''
  const name = 'd'.repeat(200)
  const deep = `for i in 1 2 3 4 5 6 7 8 9 0; do for j in 1 2 3; do mkdir ${name} && cd ${name}; done; done`
  await build(
    `mkdir closed; touch closed/x; chmod 000 closed; (${deep}; touch x); ln -s / host`,
    {},
    async (workspace) => {
      directory = workspace.directory
    },
  )
  await expect(access(directory)).rejects.toThrow('ENOENT')
})
