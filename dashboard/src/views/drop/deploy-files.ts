/** Deploys a folder: hashes its files, uploads those that the server lacks, and creates the deployment. */
import type { Client, Inputs, Outputs } from '../../lib/api'
import { isApiFailure } from '../../lib/api-error'
import { type HashedFile, hashFiles } from './hash-files'
import type { SiteFile } from './site-files'
import { uploadFiles } from './upload-files'

export type Deployment = Outputs['deployments']['create']
export type Target = 'production' | 'preview'

/** Bytes of all files, then of those that the server lacks. */
export type Progress = { step: 'reading' | 'sending'; doneBytes: number; totalBytes: number }

export type Destination = {
  client: Client
  project: string
  target: Target
  meta: Record<string, string>
  /** Makes the deployment once, however often its request is repeated. */
  idempotencyKey: string
}

type Options = { signal: AbortSignal; onProgress: (progress: Progress) => void }

/** Blobs may be collected while others are uploaded; the server then asks for them again. */
const maxRounds = 4

/** @throws TRPCClientError, Refusal; the signal's reason when aborted. */
export async function deployFiles(
  to: Destination,
  files: SiteFile[],
  { signal, onProgress }: Options,
): Promise<Deployment> {
  const hashed = await hashFiles(files, { signal, onRead: counter('reading', sum(files), onProgress) })
  const input = {
    project: to.project,
    target: to.target,
    meta: to.meta,
    files: hashed.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
  }
  for (let round = 1; ; round += 1) {
    const { missing: uploads } = await to.client.deployments.missing.mutate(
      { project: input.project, files: input.files },
      { signal },
    )
    if (uploads.length > 0) {
      const urls = new Map(uploads.map(({ sha256, upload_url }) => [sha256, upload_url]))
      const missing = distinct(hashed).filter(({ sha256 }) => urls.has(sha256))
      await uploadFiles(missing, urls, { signal, onSent: counter('sending', sum(missing), onProgress) })
    }
    try {
      return await create(to, input, signal)
    } catch (error) {
      if (round === maxRounds || reasonOf(error) !== 'files_missing') throw error
    }
  }
}

function create(
  { client, idempotencyKey }: Destination,
  input: Inputs['deployments']['create'],
  signal: AbortSignal,
): Promise<Deployment> {
  return client.deployments.create.mutate(input, { signal, context: { idempotencyKey } })
}

function counter(step: Progress['step'], totalBytes: number, onProgress: Options['onProgress']) {
  let doneBytes = 0
  onProgress({ step, doneBytes, totalBytes })
  return (bytes: number) => {
    doneBytes += bytes
    onProgress({ step, doneBytes, totalBytes })
  }
}

function reasonOf(error: unknown): string | undefined {
  return isApiFailure(error) ? error.data?.reason : undefined
}

function distinct(files: HashedFile[]): HashedFile[] {
  return [...new Map(files.map((file) => [file.sha256, file])).values()]
}

function sum(files: { content: File }[]): number {
  return files.reduce((bytes, { content }) => bytes + content.size, 0)
}
