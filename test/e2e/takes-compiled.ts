/** Whether V8 takes the compiled code that the build made of a script. */
import { spawnSync } from 'node:child_process'

const program = `
  const [source, compiled] = process.argv.slice(1).map((path) => fs.readFileSync(path))
  const script = new vm.Script(source.toString(), { cachedData: compiled })
  process.exitCode = script.cachedDataRejected ? 1 : 0`

/**
 * Whether a new process does: V8 takes it with the same flags only, and opening the embedded database changed
 * this one's.
 */
export function takesCompiled(source: string, compiled: string): boolean {
  return spawnSync(process.execPath, ['-e', program, source, compiled]).status === 0
}
