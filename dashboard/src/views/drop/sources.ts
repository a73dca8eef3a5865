/** Tells a site from its sources among the chosen files, as the command does. */
import { atOnce } from '../../../../src/lib/async/in-turns.ts'
import { foundIn } from '../../../../src/lib/frameworks/found.ts'
import { recognize, type Sources } from '../../../../src/lib/frameworks/recognize.ts'
import type { Chosen } from './chosen'

export type { Sources }

/** A file of what was chosen, at its path below the root. */
type FoundFile = { path: string; size: number; text: () => Promise<string> }

/**
 * The sources that were chosen; undefined for a site, and for a zip that can't be read, about which the
 * server says more.
 * @throws ManifestProblem for a manifest that can't be read.
 */
export async function sourcesIn({ source }: Chosen): Promise<Sources | undefined> {
  const files = source.kind === 'zip' ? await filesInZip(source.zip) : source.files.map(fileOf)
  const contents = await recognize(atOnce(foundIn(files, ({ text }) => text())))
  return contents.kind === 'sources' ? contents.sources : undefined
}

const fileOf = ({ path, content }: { path: string; content: File }): FoundFile => ({
  path,
  size: content.size,
  text: () => content.text(),
})

async function filesInZip(zip: File): Promise<FoundFile[]> {
  const { filesOfZip } = await import('./files-of-zip')
  return filesOfZip(zip).catch(() => [])
}
