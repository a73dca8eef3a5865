/** The files of a tar, with or without gzip. */
import { createReadStream } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import { pathProblem } from '../../deployments/path.ts'
import type { FileCaps } from '../../deployments/plan-files.ts'
import { type AppError, invalidField } from '../../errors.ts'
import type { ArchivedFile } from './archived-file.ts'

/** What programs add that is no file of the site. */
const extraTypes = ['pax-header', 'pax-global-header', 'gnu-long-name', 'gnu-long-link-name']

/** The Finder's. */
const neverMeant = /(?:^|\/)(?:\.DS_Store|\._[^/]*)$/

/**
 * The files of the tar at `path`, one after the other.
 * @throws AppError `invalid_input` for one that a deployment can't have, and for more than `caps` allow.
 */
export async function* readTar(path: string, caps: FileCaps): AsyncGenerator<ArchivedFile> {
  const isCompressed = /gz$/i.test(path)
  const bytes = createReadStream(path).pipe(isCompressed ? createGunzip() : new PassThrough())
  const seen = new Set<string>()
  let total = 0
  try {
    const entries = Readable.toWeb(bytes).pipeThrough(createTarDecoder({ strict: true }))
    for await (const { header, body } of entries) {
      const name = header.name.replace(/^(?:\.\/)+/, '').normalize('NFC')
      const type = header.type ?? 'file'
      if (type === 'directory' || name === '' || extraTypes.includes(type) || neverMeant.test(name)) {
        await body.cancel()
        continue
      }
      total += header.size
      const found = type === 'file' ? pathProblem(name) : 'is a link or a device; replace it with a file'
      if (found) throw problem(`${JSON.stringify(name)} ${found}`)
      if (seen.has(name)) throw problem(`${JSON.stringify(name)} is there more than once`)
      if (seen.add(name).size > caps.maxFiles) throw problem(`has more than ${caps.maxFiles} files`)
      if (total > caps.maxDeploymentBytes) throw problem(`has more than ${caps.maxDeploymentBytes} bytes`)
      yield { path: name, content: body }
    }
  } catch (error) {
    throw asProblem(error)
  } finally {
    bytes.destroy()
  }
}

function problem(text: string, cause?: unknown): AppError {
  return invalidField('tar', text, cause)
}

/** Errors of the decoder and of zlib are those of the archive; those of the file system stay what they are. */
function asProblem(error: unknown): unknown {
  if (!(error instanceof Error) || 'reason' in error) return error
  if ('code' in error && /^E[A-Z0-9]+$/.test(String(error.code))) return error
  return problem(`can not be read: ${error.message}`, error)
}
