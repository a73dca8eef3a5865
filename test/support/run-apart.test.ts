import { expect, it } from 'vitest'
import { runApart, runnerPid } from './run-apart.ts'

const env = { PATH: process.env.PATH }
const shell = (script: string, input?: Buffer) =>
  runApart({ command: 'sh', args: ['-c', script], env, ...(input && { input }) })

it('what a program wrote, what it read, and how it ended', async () => {
  const bytes = Buffer.from([0, 255, 10])
  const { code, stdout, stderr } = await shell('cat; echo sorry >&2; exit 3', bytes).ended
  expect({ code, stdout, said: String(stderr) }).toEqual({ code: 3, stdout: bytes, said: 'sorry\n' })
})

it('a program that is killed, and one that there is not', async () => {
  const { ended, kill } = shell('exec sleep 60')
  kill()
  expect(await ended).toMatchObject({ code: null })
  await expect(runApart({ command: 'no-such-program', args: [], env }).ended).rejects.toThrow('ENOENT')
})

it('programs fail with the process that runs them, and the next one gets another', async () => {
  const { ended } = shell('exec sleep 1')
  const first = runnerPid() ?? 0
  process.kill(first, 'SIGKILL')
  await expect(ended).rejects.toThrow('SIGKILL')
  expect(String((await shell('echo $PPID').ended).stdout)).toBe(`${runnerPid()}\n`)
  expect(runnerPid()).not.toBe(first)
})
