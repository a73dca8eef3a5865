/** Part of the source in JavaScript, so that a test can run it as a process of its own. */
import { execFile } from 'node:child_process'
import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const run = promisify(execFile)

/**
 * A new temporary directory with `modules` (paths below `src`, such as `cli/main.ts`), and what they import,
 * in its `dist`. They are compiled where the last build is of other sources; types are not checked: this is
 * about running.
 */
export async function compile(...modules: string[]): Promise<string> {
  const directory = await mkdtemp(join(inject('directory'), 'compiled-'))
  const built = (await isBuilt()) ? ['dist'] : []
  for (const name of ['node_modules', 'drizzle', 'package.json', ...built]) {
    await symlink(join(root, name), join(directory, name))
  }
  if (built.length > 0) return directory
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { noEmit: false, noCheck: true, rootDir: join(root, 'src'), outDir: 'dist' },
    files: modules.map((module) => join(root, 'src', module)),
    include: [],
  }
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(config))
  await run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', directory])
  await run(process.execPath, [join(root, 'build/data-modules.mjs'), join(directory, 'dist')])
  return directory
}

function isBuilt(): Promise<boolean> {
  return run(process.execPath, ['build/built-from.mjs'], { cwd: root }).then(
    () => true,
    () => false,
  )
}
