/** The directories that one build takes from the builds before it, and leaves for the next. */
import { join } from 'node:path'
import type { Part } from './cached-paths.ts'
import type { Line } from './lines.ts'
import { packagesKey } from './packages-key.ts'
import { type Restored, restorePart } from './restore-part.ts'
import { type Taken, takePart } from './take-part.ts'
import { copyTree, moveTree } from './trees.ts'
import { attempt, type CacheWork, megabytes, slotOf } from './work.ts'

/**
 * The caches in the course of a build. No failure of theirs is one of the build: all steps reject only with
 * the reason of the signal, when that aborts.
 */
export type BuildCache = {
  /** Before installing. Whether the packages are there already, so that installing is to be skipped. */
  restorePackages(signal: AbortSignal): Promise<boolean>
  /** After installing, before anything else can change the packages. */
  keepPackages(signal: AbortSignal): Promise<void>
  /** Before building. */
  restoreResults(signal: AbortSignal): Promise<void>
  /** Once the output is collected: moves directories out of the workspace. */
  save(signal: AbortSignal): Promise<void>
  /** After a build that failed: packages that were restored may be why. */
  forget(): Promise<void>
  /** In the end, also of a build that was stopped. */
  close(): Promise<void>
}

/** The key of parts that need none: they fit every build of the project. */
const any = ''

/** Long enough to move directories, and to measure the largest. */
const saveMs = 30_000

/** The cache of a build with these variables of its project; undefined where it has none. */
export function openBuildCache(work: CacheWork, variables: Record<string, string>): BuildCache | undefined {
  const { store, job, say, nowMs } = work
  const { reads, writes } = work.lines
  if (reads.length === 0) return undefined
  if (variables.SVC_NO_CACHE === '1') {
    say('Built without the cache: SVC_NO_CACHE is 1.')
    return undefined
  }
  let key: string | undefined
  let isInstalled = false
  let isAnyRestored = false
  let kept: Taken | undefined

  async function restore(part: Part, key: string, signal: AbortSignal): Promise<string | undefined> {
    const restored = await restorePart(work, part, key, signal)
    if (!restored) return undefined
    isAnyRestored = true
    return describe(restored)
  }

  function describe({ line, bytes }: Restored): string {
    return `of ${line.label} (${megabytes(bytes)})`
  }

  async function savePart(line: Line, part: Part, taken: Taken | undefined): Promise<number> {
    if (!taken) return 0
    const { made, bytes } = taken
    const description = { key: part === 'packages' && key !== undefined ? key : any, bytes }
    try {
      await store.save(slotOf(work, line, part), made, description, nowMs())
      return bytes
    } catch (error) {
      await store.discard(made)
      throw error
    }
  }

  return {
    async restorePackages(signal) {
      const { install_command, root_directory } = job.build
      if (install_command !== null) {
        const directory = join(work.workspace.files, root_directory)
        key = await packagesKey({ directory, command: install_command, env: variables })
      }
      const packages = key && (await restore('packages', key, signal))
      isInstalled = Boolean(packages)
      if (packages) say(`Restored the packages ${packages}: unchanged, \`${install_command}\` is skipped.`)
      const downloads = isInstalled ? undefined : await restore('downloads', any, signal)
      if (downloads) say(`Restored the downloads ${downloads}.`)
      return isInstalled
    },

    async keepPackages(signal) {
      if (key === undefined || isInstalled || !writes) return
      kept = await attempt(work, 'saved', signal, () => takePart(work, 'packages', copyTree, signal))
    },

    async restoreResults(signal) {
      const results = await restore('results', any, signal)
      if (results) say(`Restored the build cache ${results}.`)
      else if (!isAnyRestored && job.build.install_command !== null) say('No cache yet.')
    },

    async save(signal) {
      if (!writes) return
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(saveMs)])
      const bytes = await attempt(work, 'saved', signal, async () => {
        const packages = kept
        kept = undefined
        let sum = await savePart(writes, 'packages', packages)
        for (const part of ['downloads', 'results'] as const) {
          // Where installing was skipped, the downloads before are still those of these packages.
          if (part === 'downloads' && isInstalled) continue
          sum += await savePart(writes, part, await takePart(work, part, moveTree, inTime))
        }
        return sum
      })
      if (bytes) say(`Saved the cache (${megabytes(bytes)}).`)
    },

    async forget() {
      if (!isInstalled || !writes) return
      await store.drop(slotOf(work, writes, 'packages')).catch((err: unknown) => {
        work.log.warn({ err, deployment: job.id }, 'The packages of a failed build stay in its cache.')
      })
      say('The next build installs the packages again.')
    },

    async close() {
      // What can't be removed now is removed at the next start.
      if (kept) await store.discard(kept.made).catch(() => {})
    },
  }
}
