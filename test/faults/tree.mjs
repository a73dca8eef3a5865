/** A copy of the project in which faults can be planted, and the runners of its tests. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createRunTests } from './run-tests.mjs'

const run = promisify(execFile)
const maxBuffer = 64 * 1024 * 1024

/**
 * Copies the files that are under version control, or not ignored, from `source` into `directory`, and builds
 * them unless that is done.
 */
export async function makeTree(source, directory) {
  const listed = await run('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: source, maxBuffer })
  const files = listed.stdout.split('\0').filter((file) => existsSync(join(source, file)) && file !== '')
  for (const folder of new Set(files.map(dirname))) await mkdir(join(directory, folder), { recursive: true })
  await Promise.all(files.map((file) => cp(join(source, file), join(directory, file))))
  for (const installed of ['node_modules', 'tools/node_modules', 'dashboard/node_modules']) {
    if (existsSync(join(source, installed)))
      await symlink(join(source, installed), join(directory, installed))
  }
  for (const built of ['dist', 'client/dist']) {
    await cp(join(source, built), join(directory, built), { recursive: true, preserveTimestamps: true })
  }
  await run('npm', ['run', '-s', 'prestart'], { cwd: directory, maxBuffer })
  await cp(join(directory, 'dist'), join(directory, 'dist-unbroken'), { recursive: true })
  return treeAt(directory)
}

function treeAt(directory) {
  const short = createRunTests(directory, true)
  const all = createRunTests(directory, false)
  /** The files written since the last run of each kind. */
  const changed = { short: new Set(), all: new Set() }

  async function write(file, text) {
    await writeFile(join(directory, file), text)
    for (const files of Object.values(changed)) files.add(file)
  }

  function takeChanged(kind) {
    const files = [...changed[kind]]
    changed[kind].clear()
    return files
  }

  return {
    directory,
    /**
     * Plants the faults, at most one per file; returns a function that undoes it.
     * @throws when a `find` doesn't occur exactly once.
     */
    async plant(faults) {
      const originals = new Map()
      for (const { file, find, replace } of faults) {
        const text = await readFile(join(directory, file), 'utf8')
        const [before, after, ...more] = text.split(find)
        if (after === undefined || more.length > 0) throw new Error(`${file} doesn't have this once: ${find}`)
        originals.set(file, text)
        await write(file, before + replace + after)
      }
      return async () => {
        for (const [file, text] of originals) await write(file, text)
      }
    },
    /** Builds the tree as it is now; returns a function that undoes it. */
    async build() {
      await run('npm', ['run', '-s', 'build'], { cwd: directory, maxBuffer })
      return async () => {
        await rm(join(directory, 'dist'), { recursive: true })
        await cp(join(directory, 'dist-unbroken'), join(directory, 'dist'), { recursive: true })
      }
    },
    /** As `npm test` does. */
    runShort: (files) => short.run(files, takeChanged('short')),
    /** As `npm run test:all` does. */
    runAll: (files) => all.run(files, takeChanged('all')),
    close: () => Promise.all([short.close(), all.close()]),
  }
}
