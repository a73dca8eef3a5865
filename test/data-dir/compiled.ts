/** Compiles part of the source, so that a test can run it as a process of its own. */
import { execFile } from 'node:child_process'
import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Compiles `modules` (paths below `src`, such as `cli/main.ts`) and what they import into `dist` of a new temporary
 * directory, and returns that directory. Types are not checked: this is about running.
 */
export async function compile(...modules: string[]): Promise<string> {
  const directory = await mkdtemp(join(inject('directory'), 'compiled-'))
  for (const name of ['node_modules', 'drizzle', 'package.json']) {
    await symlink(join(root, name), join(directory, name))
  }
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { noEmit: false, noCheck: true, rootDir: join(root, 'src'), outDir: 'dist' },
    files: modules.map((module) => join(root, 'src', module)),
    include: [],
  }
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(config))
  await promisify(execFile)(join(root, 'node_modules', '.bin', 'tsc'), ['-p', directory])
  return directory
}
