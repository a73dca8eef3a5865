/** The framework whose sources the chosen files are, by the command's own table. */
import {
  decides,
  maxManifestBytes,
  recognizeFound,
  type Sources,
} from '../../../../src/lib/frameworks/recognize.ts'
import type { Chosen } from './chosen'

export type { Sources }

/** A file of what was chosen, at its path below the root. */
type FoundFile = { path: string; size: number; text: () => Promise<string> }

/**
 * The sources of a framework that were chosen; undefined if they are of none that is known, or in no zip that
 * can be read, about which the server says more.
 */
export async function sourcesIn({ source }: Chosen): Promise<Sources | undefined> {
  const files = source.kind === 'zip' ? await filesInZip(source.zip) : source.files.map(fileOf)
  const paths = new Map(files.map((file) => [file.path, file]))
  const texts = new Map<string, string>()
  for (const { path, size, text } of files) {
    if (!path.includes('/') && decides(path) && size <= maxManifestBytes) texts.set(path, await text())
  }
  return recognizeFound({
    names: [...new Set(files.map(({ path }) => path.split('/', 1)[0] ?? ''))],
    has: (path) => paths.has(path),
    textOf: (name) => texts.get(name),
  })
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
