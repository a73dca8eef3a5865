/** The embedded database that the build prepared: empty, with this program's schema. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { unpackTar } from 'modern-tar'

const archive = new URL('../../../dist/database.tar.gz', import.meta.url)

/**
 * Unpacks the prepared database into `directory`, which must not exist, in a fraction of the seconds that
 * creating one takes.
 * @returns false if the build left none.
 */
export async function unpackDatabase(directory: string): Promise<boolean> {
  const packed = await readFile(archive).catch(() => undefined)
  if (!packed) return false
  const entries = await unpackTar(await promisify(gunzip)(packed))
  const files = entries.filter(({ header }) => header.type === 'file')
  const folders = new Set(files.map(({ header }) => dirname(header.name)))
  for (const { header } of entries) if (header.type === 'directory') folders.add(header.name)
  for (const folder of folders) await mkdir(join(directory, folder), { recursive: true, mode: 0o700 })
  await Promise.all(
    files.map(({ header, data }) => writeFile(join(directory, header.name), data ?? '', { mode: 0o600 })),
  )
  return true
}
