/** Recognizes the sources of a site by what lies in a directory. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { maxManifestBytes, recognizeFound, type Sources } from '../../lib/frameworks/recognize.ts'
import { readFoundFile } from '../read-file.ts'

/**
 * The sources in `directory`; undefined if they are of no framework that is known.
 * @throws Failure (2) for a `package.json`, or a configuration, that is a link, no regular file, or too
 * large.
 */
export function recognize(directory: string): Sources | undefined {
  return recognizeFound({
    names: namesIn(directory),
    has: (path) => existsSync(join(directory, path)),
    textOf: (name) => readFoundFile(join(directory, name), { maxBytes: maxManifestBytes }),
  })
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    // Whoever reads the site reports what is wrong with it.
    return []
  }
}
