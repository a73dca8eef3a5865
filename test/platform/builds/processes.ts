/** The processes on this host. */
import { readdir, readFile } from 'node:fs/promises'

/** Those among whose arguments are these words, by their ids. */
export async function withArgument(text: string): Promise<string[]> {
  return processes((command) => ` ${command} `.includes(` ${text} `))
}

/** Those whose arguments, the program's name first, are these words. */
export async function withArguments(text: string): Promise<string[]> {
  return processes((command) => command.trimEnd() === text)
}

/** The number of processes with this text in their command line. */
export async function countProcesses(text: string): Promise<number> {
  return (await processes((command) => command.includes(text))).length
}

async function processes(isWanted: (command: string) => boolean): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return isWanted(command.replaceAll('\0', ' ')) ? [pid] : []
    }),
  )
  return found.flat()
}
