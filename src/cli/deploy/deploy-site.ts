/** Brings a directory's files to the server as a deployment, sending what the server doesn't have. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isTRPCClientError } from '@trpc/client'
import { inParallel } from '../../async/in-parallel.ts'
import type { AppRouter, RouterInputs, RouterOutputs } from '../../client/index.ts'
import type { Api } from '../connection/connect.ts'
import { failed } from '../failure.ts'
import { plain } from '../terminal/output.ts'
import { type HashedFile, hashFiles } from './hash-files.ts'
import type { Memory } from './memory.ts'
import type { Progress } from './progress.ts'
import { untilAnswered } from './until-answered.ts'
import { walkSite } from './walk-site.ts'

type CreateInput = RouterInputs['deployments']['create']
type Deployment = RouterOutputs['deployments']['create']

export type Site = {
  root: string
  project: string
  target: 'production' | 'preview'
  meta: Record<string, string>
}

type Deps = {
  api: Api
  /** Where it goes: the server and the project. */
  destination: string
  memory: Memory
  progress: Progress
  signal: AbortSignal
}

/** By then the call is on its way, as a rule, and writing what is remembered doesn't hold it up. */
const sentMs = 10

/** Uploads under way at once. */
const uploadsAtATime = 32

/**
 * What the call that creates a deployment may take: the server's own limit, unless its operator set a lower one, less
 * something for meta. Content that goes along with it saves a request for each file.
 */
const maxCallBytes = 10 * 1024 * 1024 - 64 * 1024

/** What a file takes in that call beside its path and content, and a character of its path at most. */
const bytesAFile = 130
const bytesACharacter = 3

/** A deployment's blobs may be collected while others are sent; then they are asked for again. */
const maxRounds = 4

/**
 * Deploys the site.
 * @throws Failure for what can't be deployed or sent; TRPCClientError for what the server refuses.
 */
export async function deploySite(deps: Deps, site: Site): Promise<Deployment> {
  const { memory, progress, signal, destination } = deps
  const found = await walkSite(site.root, signal)
  if (found.length === 0) throw failed(`There is no file to deploy in ${plain(site.root)}.`)
  progress.begin('Reading', found.length, sum(found))
  const files = await hashFiles(site.root, found, memory.digestOf, { signal, onDone: progress.add })
  const unsent = distinct(files).filter(({ sha256 }) => !memory.wasSent(destination, sha256))
  const creating = create(deps, site, { files, inline: inlineOf(unsent, files, 'all'), round: 1 })
  // Written while the server works. It is true whatever the server answers: what it turns out not to have, it asks for.
  const [deployment] = await Promise.all([
    creating,
    wait(sentMs).then(() => memory.remember(destination, files)),
  ])
  return deployment
}

/** Files of which those `inline` go along with the call. */
type Attempt = { files: HashedFile[]; inline: HashedFile[]; round: number }

async function create(deps: Deps, site: Site, { files, inline, round }: Attempt): Promise<Deployment> {
  const input = toInput(site, files, inline)
  try {
    const { api, signal } = deps
    return await untilAnswered((context) => api.deployments.create.mutate(input, { signal, context }), signal)
  } catch (error) {
    const missing = missingIn(error)
    if (!missing || round === maxRounds) throw error
    const urls = new Map(missing.map(({ sha256, upload_url }) => [sha256, upload_url]))
    const wanted = distinct(files).filter(({ sha256 }) => urls.has(sha256))
    const next = inlineOf(wanted, files, 'some')
    const goesAlong = new Set(next)
    await sendAll(
      deps,
      site.root,
      wanted.filter((file) => !goesAlong.has(file)),
      urls,
    )
    return create(deps, site, { files, inline: next, round: round + 1 })
  }
}

async function sendAll(
  { progress, signal }: Deps,
  root: string,
  files: HashedFile[],
  urls: Map<string, string>,
): Promise<void> {
  // With it comes all of TLS, which takes a while to load; mostly everything goes along with the call.
  const { putBlob } = await import('./put-blob.ts')
  progress.begin('Sending', files.length, sum(files))
  await inParallel(files, uploadsAtATime, async ({ path, size, sha256 }) => {
    await putBlob({ absolute: join(root, path), path, size, url: urls.get(sha256) ?? '' }, signal)
    progress.add(1, size)
  })
}

function toInput(
  { root, project, target, meta }: Site,
  files: HashedFile[],
  inline: HashedFile[],
): CreateInput {
  const contents = new Map(inline.map((file) => [file.path, readContent(root, file)]))
  return {
    project,
    target,
    meta,
    files: files.map(({ path, size, sha256 }) => {
      const content_base64 = contents.get(path)
      return content_base64 === undefined ? { path, size, sha256 } : { path, size, sha256, content_base64 }
    }),
  }
}

function readContent(root: string, { path, sha256 }: HashedFile): string {
  const content = readFileSync(join(root, path))
  if (hash('sha256', content) !== sha256)
    throw failed(`${plain(path)} changed while it was sent. Deploy again.`)
  return content.toString('base64')
}

/** Of `wanted`, those whose content goes along: all of them if that isn't too much, or else, of `some`, the smallest ones. */
function inlineOf(wanted: HashedFile[], all: HashedFile[], which: 'all' | 'some'): HashedFile[] {
  const listBytes = all.reduce((bytes, { path }) => bytes + path.length * bytesACharacter + bytesAFile, 0)
  const room = Math.floor(((maxCallBytes - listBytes) * 3) / 4)
  if (sum(wanted) <= room) return wanted
  if (which === 'all') return []
  let bytes = 0
  return wanted
    .toSorted((a, b) => a.size - b.size)
    .filter(({ size }) => {
      bytes += size
      return bytes <= room
    })
}

function missingIn(error: unknown) {
  return isTRPCClientError<AppRouter>(error) && error.data?.reason === 'files_missing'
    ? error.data.missing
    : undefined
}

/** One file for each digest. */
function distinct(files: HashedFile[]): HashedFile[] {
  return [...new Map(files.map((file) => [file.sha256, file])).values()]
}

function sum(files: { size: number }[]): number {
  return files.reduce((bytes, { size }) => bytes + size, 0)
}
