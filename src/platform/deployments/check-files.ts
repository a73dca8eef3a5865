/**
 * From the files that a client names to a checked list of paths and digests; inline content is decoded and
 * hashed.
 */
import { hash, subtle } from 'node:crypto'
import { inTurns } from '../../lib/async/in-turns.ts'
import { letOthersRun } from '../../lib/async/let-others-run.ts'
import { sortInTurns } from '../../lib/async/sort-in-turns.ts'
import { AppError, type Issue } from '../../lib/errors.ts'
import { pathProblem } from '../../lib/names/file-path.ts'
import { spelledOut } from '../../lib/names/spelled-out.ts'
import { type CheckedFile, type FileList, fileListOf } from '../sites/file-list.ts'
import type { FileInput } from './deployment-input.ts'

/** Reads content that came along with the request as a whole, by the SHA-256 of each file. */
export type SentContent = Map<string, () => AsyncIterable<Uint8Array>>

/**
 * The rest of a zip, or of a push, besides the files of its deployment: their content, the paths that are
 * never deployed, and what a push says of `spa`. Files of more than `alongBytes` are read one after another,
 * and beside no other.
 */
export type SentZip = {
  content: SentContent
  leftOut: string[]
  source?: 'git'
  spa?: boolean | null
  alongBytes?: number
}

export type FileCaps = { maxFiles: number; maxFileBytes: number; maxDeploymentBytes: number }

/** The most issues in a response. */
const maxIssues = 50

/** To hash more takes so long that it is done beside the event loop. */
const largeBytes = 256 * 1024

/**
 * Checks the files one by one and together.
 * @throws AppError `invalid_input` with an issue for each invalid one.
 */
export async function checkFiles(files: FileInput[], caps: FileCaps): Promise<FileList> {
  if (files.length === 0) throw invalid([{ path: 'files', message: 'must contain at least one file' }])
  if (files.length > caps.maxFiles) {
    throw invalid([
      { path: 'files', message: `must contain at most ${caps.maxFiles} files, not ${files.length}` },
    ])
  }
  const large = await hashLarge(files)
  const { list, issues } = await inTurns(check(files, large, caps))
  if (list.bytes > caps.maxDeploymentBytes) {
    issues.push({
      path: 'files',
      message: `must have at most ${caps.maxDeploymentBytes} bytes together, not ${list.bytes}`,
    })
  }
  if (issues.length > 0) throw invalid(issues.slice(0, maxIssues))
  return list
}

/** Content that was decoded, with its digest. */
type Content = { bytes: Buffer; sha256: string }

/** The large ones among the files that come as text, by their places. */
async function hashLarge(files: FileInput[]): Promise<Map<number, Content>> {
  const large = new Map<number, Content>()
  for (const [index, { content, content_base64 }] of files.entries()) {
    if (content === undefined || content_base64 !== undefined || content.length < largeBytes) continue
    await letOthersRun()
    const bytes = Buffer.from(content, 'utf8')
    const digest = await subtle.digest('SHA-256', bytes)
    large.set(index, { bytes, sha256: Buffer.from(digest).toString('hex') })
  }
  return large
}

/** Checks what the files have together, once each of them is right. */
function* check(
  files: FileInput[],
  large: Map<number, Content>,
  caps: FileCaps,
): Generator<void, { list: FileList; issues: Issue[] }> {
  const issues: Issue[] = []
  const planned: CheckedFile[] = []
  const sizes = oneSizeEach()
  for (const [index, file] of files.entries()) {
    const result = planFile(index, file, large.get(index), caps)
    if ('message' in result) issues.push(result)
    else {
      planned.push(result)
      sizes.add(result)
    }
    if (issues.length === maxIssues) break
    yield
  }
  if (issues.length === 0) issues.push(...(yield* clashes(planned)), ...sizes.issues)
  return { list: fileListOf(planned), issues }
}

function planFile(
  index: number,
  file: FileInput,
  known: Content | undefined,
  caps: FileCaps,
): CheckedFile | Issue {
  const at = (field: string, message: string): Issue =>
    issueOf(index, field, `${spelledOut(file.path)} ${message}`)
  const problem = pathProblem(file.path)
  if (problem) return at('path', problem)
  const content = known?.bytes ?? decodeContent(file)
  if (content === 'both') return at('content', 'must have either content or content_base64')
  if (content === 'not base64') return at('content_base64', 'must be base64 (RFC 4648, section 4)')
  const size = content?.length ?? file.size
  const sha256 = known?.sha256 ?? (content ? hash('sha256', content) : file.sha256)
  if (sha256 === undefined) return at('content', 'must have content, content_base64, or sha256 and size')
  if (size === undefined) return at('size', 'needs its size with sha256')
  if (size > caps.maxFileBytes) {
    const inline = file.content === undefined ? 'content_base64' : 'content'
    return at(content ? inline : 'size', `must be at most ${caps.maxFileBytes} bytes`)
  }
  if (file.size !== undefined && file.size !== size)
    return at('size', `has a size of ${file.size}, but content of ${size} bytes`)
  if (file.sha256 !== undefined && file.sha256 !== sha256)
    return at('sha256', `has another sha256 than its content, ${sha256}`)
  return { index, path: file.path, sha256, size, bytes: content }
}

function decodeContent({ content, content_base64 }: FileInput): Buffer | undefined | 'both' | 'not base64' {
  if (content !== undefined && content_base64 !== undefined) return 'both'
  if (content !== undefined) return Buffer.from(content, 'utf8')
  if (content_base64 === undefined) return undefined
  const bytes = Buffer.from(content_base64, 'base64')
  // Node's decoder skips invalid characters; valid base64 encodes back to the same text.
  return bytes.toString('base64') === content_base64 ? bytes : 'not base64'
}

/** Paths that are there twice, or that are a file here and a directory there. */
function* clashes(files: CheckedFile[]): Generator<void, Issue[]> {
  // With the lowest character for the slash, a path is followed by what is below it. Looking at every
  // directory of every path instead would take the better part of a minute for thousands of deep ones, and
  // `replaceAll` seconds.
  const keyed: { index: number; path: string; key: string }[] = []
  for (const { index, path } of files) {
    keyed.push({ index, path, key: path.split('/').join('\u0000') })
    yield
  }
  const sorted = yield* sortInTurns(keyed, (a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
  const found: { index: number; message: string }[] = []
  for (const [i, { index, path, key }] of sorted.entries()) {
    const next = sorted[i + 1]
    if (next?.key === key) found.push({ index: next.index, message: `${spelledOut(path)} is duplicated` })
    else if (next?.key.startsWith(`${key}\u0000`))
      found.push({ index, message: `${spelledOut(path)} is a file here and a directory of another file` })
    yield
  }
  return found.sort((a, b) => a.index - b.index).map(({ index, message }) => issueOf(index, 'path', message))
}

/** Sizes by digest, which has one: two for the same one can't both be true. */
function oneSizeEach() {
  const sizes = new Map<string, number>()
  const issues: Issue[] = []
  return {
    issues,
    add({ index, path, sha256, size }: CheckedFile): void {
      const known = sizes.get(sha256)
      if (known !== undefined && known !== size) {
        const other = `but the same sha256 has ${known} elsewhere`
        issues.push(issueOf(index, 'size', `${spelledOut(path)} has a size of ${size}, ${other}`))
      }
      sizes.set(sha256, size)
    },
  }
}

/** Its message names the file: nobody counts files. */
function issueOf(index: number, field: string, message: string): Issue {
  return { path: `files.${index}.${field}`, message }
}

function invalid(issues: Issue[]): AppError {
  const [first] = issues
  const message = first?.path === 'files' ? `files ${first.message}` : first?.message
  return new AppError('invalid_input', `${message}.`, { issues })
}
