/** Processes of git that outlived their node. */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode } from '../../lib/has-code.ts'

/** The variable that names the repository, which also the programs have that git starts. */
export const markName = 'SVC_GIT_REPOSITORY'

/** How long one that was killed may take to end, and how often it is looked for, in milliseconds. */
const [endMs, lookMs] = [10_000, 50]

/**
 * Kills all processes that work on repositories below `root`, before a node works there itself. Resolves to
 * how many there were, once they have ended. Only Linux shows them.
 */
export async function endLeftProcesses(root: string): Promise<number> {
  const deadlineMs = performance.now() + endMs
  const first = await killAll(root)
  for (let left = first; left > 0 && performance.now() < deadlineMs; left = await killAll(root))
    await sleep(lookMs)
  return first
}

async function killAll(root: string): Promise<number> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const mark = `\0${markName}=${root}/`
  const left = await Promise.all(
    ids.map(async (id) => {
      // Those of other users are not for this one to read, nor are those that have ended.
      const variables = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')
      return `\0${variables}`.includes(mark) && end(Number(id))
    }),
  )
  return left.filter(Boolean).length
}

function end(id: number): boolean {
  try {
    return process.kill(id, 'SIGKILL')
  } catch (error) {
    if (hasCode(error, 'ESRCH') || hasCode(error, 'EPERM')) return false
    throw error
  }
}
