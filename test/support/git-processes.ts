/** The processes of git on this machine. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type GitProcess = { pid: number; command: string }

/** Those that work on a repository below `git` of the data directory. */
export async function gitProcessesIn(dataDirectory: string): Promise<GitProcess[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    ids.map(async (id) => {
      const variables = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')
      if (!variables.includes(`=${join(dataDirectory, 'git')}/`)) return []
      return [{ pid: Number(id), command: await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '') }]
    }),
  )
  return found.flat()
}

/** Kills all of them at once. */
export async function killGitIn(dataDirectory: string): Promise<void> {
  for (const { pid } of await gitProcessesIn(dataDirectory))
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
}
