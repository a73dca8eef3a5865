/** The files of a build, as sources are recognized among them. */
import { join } from 'node:path'
import type { Found } from '../../lib/frameworks/found.ts'
import { ManifestProblem, maxManifestBytes } from '../../lib/frameworks/manifest.ts'
import { namesOnDisk } from '../../lib/frameworks/names-on-disk.ts'
import { readBounded } from '../../stores/data-dir/read-bounded.ts'

/** Those below the directory `files`; no manifest is a link, which may lead out. */
export function foundOnDisk(files: string): Found {
  return {
    namesIn: namesOnDisk(files),
    async textOf(path) {
      const read = readBounded(join(files, path), { maxBytes: maxManifestBytes, links: 'refused' })
      if (read && 'problem' in read) throw new ManifestProblem(path, read.problem)
      return read?.bytes.toString('utf8') ?? ''
    },
  }
}
