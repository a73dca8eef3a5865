/**
 * A manifest that is too large to load: only the files of a request are looked up. Recent lookups are cached,
 * also negative ones.
 */
import { LRUCache } from 'lru-cache'
import { isStoreAway } from '../../stores/db/failures.ts'
import type { ManifestRows } from './load-manifest.ts'
import { createManifest, type LookUpLines, type Manifest, ruleFiles } from './manifest.ts'
import { resolveRequest } from './resolve-request.ts'
import { type Asset, createAsset, type ManifestFile } from './responses/file-headers.ts'

type Load = (paths: string[]) => Promise<ManifestFile[]>

/** `untilMs`: when it is read again. */
type Line = { asset: Asset | undefined; untilMs: number }

const maxLines = 2_000

/** How long an entry is used while compression is pending. */
const pendingMs = 2_000

/** Pages for unknown paths. */
const fallbacks = new Set(['index.html', '404.html'])

const none: Line = { asset: undefined, untilMs: Number.POSITIVE_INFINITY }

/** `load` finds the files with one of the paths; `now` is a monotonic clock in milliseconds. */
export function createLargeManifest(
  load: Load,
  { rules, names }: Pick<ManifestRows, 'rules' | 'names'>,
  now: () => number,
): Manifest {
  const lines = new LRUCache<string, Line>({ max: maxLines })
  const whole = createManifest([], rules, names)

  async function read(paths: string[], find: Load): Promise<Map<string, Line>> {
    const found = new Map(paths.map((path) => [path, none]))
    try {
      for (const file of await find(paths.filter((path) => !ruleFiles.has(path)))) {
        found.set(file.path, lineOf(file))
      }
    } catch (error) {
      // Stale entries are used while the database is unavailable.
      const old = paths.flatMap((path) => lines.peek(path) ?? [])
      if (!isStoreAway(error) || old.length < paths.length) throw error
      return new Map(old.map((line, index) => [paths[index] ?? '', line]))
    }
    for (const [path, line] of found) lines.set(path, line)
    return found
  }

  function lineOf(file: ManifestFile): Line {
    return {
      asset: createAsset(file, { isLasting: names.hasHash(file.path), coding: whole.codingOf(file.path) }),
      untilMs: file.isPending ? now() + pendingMs : none.untilMs,
    }
  }

  function inMemory(path: string): Line | undefined {
    const line = lines.get(path)
    return line && now() < line.untilMs ? line : undefined
  }

  /**
   * A lookup is futile if all it finds would answer any other path, too; never where what isn't there is for
   * a server, which has any number of paths.
   */
  async function readLimited(
    paths: string[],
    { requested, hasServer }: { requested: string; hasServer: boolean },
    lookUp: LookUpLines,
  ): Promise<Map<string, Line>> {
    const isMeant = ({ path }: ManifestFile) => !fallbacks.has(path) || requested === '' || requested === path
    return read(paths, async (served) => {
      let found: ManifestFile[] = []
      await lookUp(async () => {
        found = await load(served)
        return hasServer || found.some(isMeant) || undefined
      })
      return found
    })
  }

  return {
    ...whole,
    async part(request, site, lookUp) {
      const sought = { requested: request.target.path, hasServer: site.server !== undefined }
      const known = new Map<string, Line>()
      const has = (each: string) => known.get(each)?.asset !== undefined
      // Each round loads what the one before turned out to need.
      for (;;) {
        const unknown: string[] = []
        const hasOrAsk = (each: string) => {
          const line = known.get(each) ?? inMemory(each)
          if (line) known.set(each, line)
          else unknown.push(each)
          return line?.asset !== undefined
        }
        resolveRequest(request, hasOrAsk, site, whole)
        if (unknown.length === 0) break
        const read = await readLimited([...new Set(unknown)], sought, lookUp)
        for (const [each, line] of read) known.set(each, line)
      }
      return { ...whole, has, get: (each) => known.get(each)?.asset }
    },
  }
}
