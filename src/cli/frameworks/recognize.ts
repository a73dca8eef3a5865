/** Tells a site from the sources of one, by what lies in a directory. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Found } from '../../lib/frameworks/found.ts'
import { ManifestProblem, maxManifestBytes } from '../../lib/frameworks/manifest.ts'
import { recognize, type Sources } from '../../lib/frameworks/recognize.ts'
import { usageFailure } from '../command-failure.ts'
import { readFoundFile } from '../read-file.ts'

/**
 * The sources in `directory`; undefined for a site.
 * @throws Failure (2) for a manifest, or a configuration, that can't be read, is a link, no regular file, or
 * too large.
 */
export async function sourcesIn(directory: string): Promise<Sources | undefined> {
  try {
    const contents = await recognize(filesIn(directory))
    return contents.kind === 'sources' ? contents.sources : undefined
  } catch (error) {
    if (!(error instanceof ManifestProblem)) throw error
    throw usageFailure(error.message)
  }
}

function filesIn(directory: string): Found {
  const folders = new Map<string, ReadonlySet<string>>()
  return {
    namesIn(folder) {
      const names = folders.get(folder) ?? namesIn(join(directory, folder))
      folders.set(folder, names)
      return names
    },
    textOf: async (path) => readFoundFile(join(directory, path), { maxBytes: maxManifestBytes }) ?? '',
  }
}

function namesIn(directory: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(directory))
  } catch {
    // Whoever reads the site reports what is wrong with it.
    return new Set()
  }
}
