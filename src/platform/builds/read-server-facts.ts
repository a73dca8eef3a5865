/** Reads, after the commands of a build, what decides whether its deployment has a server. */
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { serverOfPackage, serverOfProcfile } from '../../lib/frameworks/find-server.ts'
import { findFirstPages } from '../../lib/frameworks/first-pages.ts'
import { hasFile } from '../../lib/frameworks/found.ts'
import { ManifestProblem } from '../../lib/frameworks/manifest.ts'
import { namesOnDisk } from '../../lib/frameworks/names-on-disk.ts'
import { procfile } from '../../lib/frameworks/procfile.ts'
import { readSources } from '../../lib/frameworks/recognize.ts'
import { builtServerOutput } from '../../lib/frameworks/server-output.ts'
import { firstPage } from '../../lib/frameworks/signs.ts'
import { isBelow } from '../sandbox/left-files.ts'
import { foundOnDisk } from './found-on-disk.ts'
import type { ServerFacts } from './plan-server.ts'

/** Directories: `files` of this host, `root` relative to that, `output` relative to that. */
type Place = { files: string; root: string; output: string }

type FactsOnDisk = Omit<ServerFacts, 'start' | 'wasStatic'>

/**
 * The facts that files say; `sources` are the names at the root before the build. Those whose manifest can't
 * be read are of nothing that is known.
 */
export async function readServerFacts(place: Place, sources: ReadonlySet<string>): Promise<FactsOnDisk> {
  const { files, root } = place
  const facts = { ...none, output: await outputIn(place) }
  try {
    const all = foundOnDisk(files)
    const { found, own, framework } = await readSources(all, root === '.' ? '' : root)
    return {
      ...facts,
      isKnown: framework !== undefined,
      hasProcfile: hasFile(found, procfile),
      byProcfile: await serverOfProcfile(found, own),
      byOutput: await builtServerOutput(found, own, { framework: framework?.name, sources }),
      byPackage: own && serverOfPackage(found, own),
    }
  } catch (error) {
    if (error instanceof ManifestProblem) return facts
    throw error
  }
}

/** The contents of an output directory; one that is outside of the files has none. */
export async function outputIn({ files, root, output }: Place): Promise<ServerFacts['output']> {
  const [top, directory] = await Promise.all(
    [files, join(files, root, output)].map((path) => realpath(path).catch(() => undefined)),
  )
  // A link that leads out says nothing about what is there.
  if (top === undefined || directory === undefined || !isBelow(directory, top)) return 'nothing'
  const names = namesOnDisk(directory)('')
  if (names.size === 0) return 'nothing'
  // The directory of the sources has pages of its own.
  const isOwn = join(root, output) === join(root)
  const hasPage = names.has(firstPage) || (!isOwn && (await findFirstPages(directory)).size > 0)
  return hasPage ? 'page' : 'files'
}

const none = {
  isKnown: false,
  hasProcfile: false,
  byProcfile: undefined,
  byOutput: undefined,
  byPackage: undefined,
}
