/** Sandboxes whose bubblewrap died while it was setting them up. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { killAbandoned } from '../../../../src/platform/sandbox/abandoned.ts'

/** Starts one that waits for its user namespace; resolves to its bubblewrap and its first process. */
async function beginSandbox(): Promise<{ bubblewrap: ChildProcess; first: number }> {
  const bubblewrap = spawn('bwrap', ['--args', '3', '/bin/true'], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe', 'pipe'],
  })
  const [options, , info] = bubblewrap.stdio.slice(3)
  if (!(options instanceof Writable && info instanceof Readable)) throw new Error('There are no pipes.')
  const namespaces = ['--unshare-user', '--unshare-pid', '--as-pid-1']
  const all = [...namespaces, '--userns-block-fd', '4', '--info-fd', '5', '--ro-bind', '/', '/']
  options.end(all.map((option) => `${option}\0`).join(''))
  const first = await new Promise<number>((resolve, reject) => {
    let said = ''
    // It has more to say, and would end if nobody listened.
    info.on('data', (chunk) => {
      said += chunk
      const pid = /"child-pid": (\d+)/.exec(said)?.[1]
      if (pid !== undefined) resolve(Number(pid))
    })
    info.on('end', () => reject(new Error('There is no sandbox.')))
  })
  return { bubblewrap, first }
}

it('are ended, and those of a living one are not', { timeout: 60_000 }, async () => {
  const { bubblewrap, first } = await beginSandbox()
  await killAbandoned()
  expect(existsSync(`/proc/${first}`)).toBe(true)
  bubblewrap.kill('SIGKILL')
  await once(bubblewrap, 'exit')
  // A node that starts beside this may have ended it before.
  await killAbandoned()
  await expect.poll(() => existsSync(`/proc/${first}`), { timeout: 20_000 }).toBe(false)
})
