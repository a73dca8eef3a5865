/** Builds a site on this machine, with the commands of its framework. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { maxManifestBytes, type Sources } from '../../lib/frameworks/recognize.ts'
import { failed } from '../command-failure.ts'
import type { Io } from '../io.ts'
import { readDecidingFile } from '../read-file.ts'
import { warn } from '../terminal/output.ts'

/**
 * Installs what is missing and builds; what the commands print goes to standard error.
 * @throws Failure when a command fails, when it leaves no output, and on Ctrl-C; (2) for the commands of
 * another user.
 */
export async function buildHere(io: Io, directory: string, sources: Sources): Promise<void> {
  // Its commands run in the name of this user.
  readDecidingFile(join(directory, 'package.json'), maxManifestBytes)
  const isInstalled = existsSync(join(directory, 'node_modules'))
  if (sources.install !== undefined && !isInstalled) await run(io, directory, sources.install)
  await run(io, directory, sources.build)
  if (!existsSync(join(directory, sources.output))) {
    throw failed(
      `${sources.build} left no directory ${sources.output}. ` +
        'Deploy the one with its output: svc deploy <directory>.',
    )
  }
}

async function run({ stderr, env, signal }: Io, cwd: string, command: string): Promise<void> {
  const { spawn } = await import('node:child_process')
  warn({ stderr }, `$ ${command}`)
  const child = spawn(command, { cwd, env, shell: true, signal, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.pipe(stderr, { end: false })
  child.stderr.pipe(stderr, { end: false })
  const code = await new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exit, by) => resolve(exit ?? by ?? 1))
  })
  signal.throwIfAborted()
  if (code !== 0) throw failed(`${command} ended with ${code}.`)
}
