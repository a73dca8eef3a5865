/** Tells a site from the sources of one, by what lies in a directory. */
import { recognize, type Sources } from '../../lib/frameworks/recognize.ts'
import { explained, placeOf } from './place.ts'

/**
 * The sources in `directory`; undefined for a site.
 * @throws Failure (2) for a manifest, or a configuration, that can't be read, is a link, no regular file, or
 * too large.
 */
export async function sourcesIn(directory: string): Promise<Sources | undefined> {
  const { top, folder, found } = await placeOf(directory)
  const contents = await explained(top, () => recognize(found, folder))
  return contents.kind === 'sources' ? contents.sources : undefined
}
