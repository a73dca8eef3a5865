/** The files of a tar, with or without gzip. */
import { createReadStream } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import { type AppError, invalidField } from '../../lib/errors.ts'
import { entryPath } from '../../lib/names/entry-path.ts'
import { pathProblem } from '../../lib/names/file-path.ts'
import { createFollow } from '../../lib/names/follow-links.ts'
import { isAddedByMacos } from '../../lib/names/never-deployed.ts'
import { toNfc } from '../../lib/names/nfc.ts'
import { spelledOut } from '../../lib/names/spelled-out.ts'
import type { FileCaps } from '../../platform/deployments/check-files.ts'
import type { ArchivedFile } from './archived-file.ts'

/** Entries that programs add, which are no files of the site. */
const extraTypes = ['pax-header', 'pax-global-header', 'gnu-long-name', 'gnu-long-link-name']

/**
 * The files of the tar at `path`, one after the other, then its symbolic and hard links to these.
 * @throws AppError `invalid_input` for one that a deployment can't have, and for more than `caps` allow.
 */
export async function* readTar(path: string, caps: FileCaps): AsyncGenerator<ArchivedFile> {
  const isCompressed = /gz$/i.test(path)
  const bytes = createReadStream(path).pipe(isCompressed ? createGunzip() : new PassThrough())
  const seen = new Set<string>()
  const files = new Set<string>()
  const links = new Map<string, string>()
  let total = 0
  try {
    const entries = Readable.toWeb(bytes).pipeThrough(createTarDecoder({ strict: true }))
    for await (const { header, body } of entries) {
      const name = entryPath(header.name)
      const type = header.type ?? 'file'
      const isDirectory = type === 'directory' || name.endsWith('/')
      if (isDirectory || extraTypes.includes(type) || isAddedByMacos(name)) {
        await body.cancel()
        continue
      }
      total += header.size
      const isLink = type === 'link' || type === 'symlink'
      const found = type === 'file' || isLink ? pathProblem(name) : 'is a device; replace it with a file'
      if (found) throw problem(`${spelledOut(name)} ${found}`)
      if (seen.has(name)) throw problem(`${spelledOut(name)} is there more than once`)
      if (seen.add(name).size > caps.maxFiles) throw problem(`has more than ${caps.maxFiles} files`)
      if (total > caps.maxDeploymentBytes) throw problem(`has more than ${caps.maxDeploymentBytes} bytes`)
      if (isLink) {
        links.set(name, targetOf(name, type, header.linkname ?? ''))
        await body.cancel()
        continue
      }
      files.add(name)
      yield { path: name, content: body }
    }
    const follow = createFollow(links)
    for (const path of links.keys()) {
      const linkTo = follow(path)
      if (linkTo === undefined || !files.has(linkTo))
        throw problem(`${spelledOut(path)} is a link, but not to a file of the archive`)
      yield { path, linkTo }
    }
  } catch (error) {
    throw asProblem(error)
  } finally {
    bytes.destroy()
  }
}

/** The target of a link, relative to its directory: a hard link's target is relative to the archive. */
function targetOf(name: string, type: 'link' | 'symlink', target: string): string {
  if (type === 'symlink') return toNfc(target)
  return '../'.repeat(name.split('/').length - 1) + entryPath(target)
}

function problem(text: string, cause?: unknown): AppError {
  return invalidField('tar', text, cause)
}

/**
 * Errors of the decoder and of zlib are those of the archive; those of the file system stay what they are.
 */
function asProblem(error: unknown): unknown {
  if (!(error instanceof Error) || 'reason' in error) return error
  if ('code' in error && /^E[A-Z0-9]+$/.test(String(error.code))) return error
  return problem(`can not be read: ${error.message}`, error)
}
