/** Takes a zip as the files of a deployment. */
import type { FileHandle } from 'node:fs/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, type Issue, invalidField } from '../../../lib/errors.ts'
import { mayTakeLong } from '../../../lib/net/late-streams.ts'
import type { FileCaps, SentZip } from '../../../platform/deployments/check-files.ts'
import type { FileInput } from '../../../platform/deployments/deployment-input.ts'
import { hashZip } from '../../../platform/deployments/zip/hash-zip.ts'
import { leaveOut } from '../../../platform/deployments/zip/leave-out.ts'
import { readZip, type ZippedFile } from '../../../platform/deployments/zip/read-zip.ts'
import { asUnavailable } from '../../../stores/blobs/file-store.ts'
import type { ServerDeps } from '../deps.ts'
import type { Room } from '../http/body-budget.ts'
import { refuseOtherTypes } from '../http/json-body.ts'
import { bodyTooLarge, noSlowerThan, withinPace } from '../http/read-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The zip that is its body. */
    zip: (SentZip & { files: FileInput[]; release(): Promise<void> }) | null
  }
}

type Deps = Pick<ServerDeps, 'services' | 'zips' | 'disk' | 'timeouts' | 'stopping'>

/** The registered type, that of Windows, and that of old Macs. */
const zipTypes = ['application/zip', 'application/x-zip-compressed', 'application/x-zip']

/** Without these, curl sends a form, or leaves the line ends among the bytes of the zip out. */
const byCurl = '--data-binary @site.zip'

const otherTypes =
  `Send the zip itself with Content-Type: application/zip (by curl, with ${byCurl}), ` +
  'or JSON with Content-Type: application/json.'

/** Makes the routes of `scope` take zips too; the zip is released when the response is sent. */
export function acceptZip(scope: FastifyInstance, deps: Deps): void {
  scope.addContentTypeParser(zipTypes, async (request: FastifyRequest) => {
    request.zip = await receiveZip(deps, request)
    return undefined
  })
  refuseOtherTypes(scope, otherTypes, deps.timeouts.bodyMs)
  scope.addHook('onSend', async (request) => {
    await request.zip?.release()
    request.zip = null
  })
}

/**
 * Stores the zip on disk, and reads every file in it once.
 * @throws AppError `body_too_large`, `request_timeout`, `too_many_waiting`, `store_unavailable`, `disk_full`;
 * `invalid_input` for the zip.
 */
async function receiveZip(deps: Deps, request: FastifyRequest): Promise<NonNullable<FastifyRequest['zip']>> {
  const { zips, services } = deps
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new AppError('unsupported_content_encoding', 'Send the zip without a Content-Encoding.')
  }
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > zips.maxBytes) throw bodyTooLarge(zips.maxBytes)
  const teamId = request.principal?.teamId
  await deps.disk.require(declared)
  const room = await zips.onDisk.reserve(teamId, declared)
  let file: FileHandle | undefined
  async function release(): Promise<void> {
    await file?.close()
    room.release()
  }
  try {
    file = await zips.newFile()
    await receive(deps, request, { file, room })
    const { files, leftOut } = leaveOut(await readSent(file, services.caps))
    const inflating = await zips.inflating.reserve(teamId, sizeOf(files))
    const hashed = await hashZip(files, deps.stopping).finally(inflating.release)
    return { ...hashed, leftOut, release }
  } catch (error) {
    await release()
    throw deps.stopping.aborted ? stopping() : asUnavailable(error)
  }
}

/** @throws AppError `invalid_input` as `readZip` does, with advice for what was hardly sent as it is. */
async function readSent(file: FileHandle, caps: FileCaps): Promise<ZippedFile[]> {
  try {
    return await readZip(file.fd, caps)
  } catch (error) {
    const [issue] = error instanceof AppError && error.cause instanceof Error ? (error.issues ?? []) : []
    if (!issue || !(await isOfOtherBytes(file))) throw error
    const found = issue.message.replace(/\.?$/, '.')
    throw invalidField(issue.path, `${found} The body has to be the zip as it is: by curl, ${byCurl}`, error)
  }
}

/** Whether a file that is no zip begins as one (APPNOTE, 4.3.7), as a form, or as the name of a file. */
async function isOfOtherBytes(file: FileHandle): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
  return /^(?:PK|--|@)/.test(buffer.toString('latin1'))
}

async function receive(
  { zips, disk, timeouts }: Deps,
  { raw }: FastifyRequest,
  { file, room }: { file: FileHandle; room: Room },
): Promise<void> {
  mayTakeLong(raw)
  let bytes = 0
  for await (const chunk of withinPace(
    raw,
    noSlowerThan(timeouts.uploadBytesPerSecond, timeouts.uploadWindowMs),
  )) {
    bytes += chunk.length
    if (bytes > zips.maxBytes) throw bodyTooLarge(zips.maxBytes)
    room.growTo(bytes)
    await disk.require()
    await file.writeFile(chunk)
  }
}

function sizeOf(files: ZippedFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

function stopping(): AppError {
  return new AppError('store_unavailable', 'The server is stopping. Send the request again.', {
    retryAfterMs: 1_000,
  })
}

const metaPrefix = 'meta.'

/**
 * The input of the call: the files of the zip, and the rest from the query.
 * @throws AppError `invalid_input` for parameters that are repeated or say what the zip says.
 */
export function inputWithZip(
  files: FileInput[],
  query: Record<string, string | string[]>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  const meta: Record<string, unknown> = {}
  const issues: Issue[] = []
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) issues.push({ path: name, message: 'given more than once' })
    else if (name === 'files') issues.push({ path: name, message: 'the zip has the files; omit it here' })
    else if (name === 'meta') issues.push({ path: name, message: 'name its entries: meta.<key>=value' })
    else if (name.startsWith(metaPrefix)) define(meta, name.slice(metaPrefix.length), value)
    else define(input, name, value)
  }
  if (issues.length > 0) {
    throw new AppError('invalid_input', `${issues[0]?.path}: ${issues[0]?.message}`, { issues })
  }
  return { ...input, ...(Object.keys(meta).length > 0 && { meta }), files }
}

/** An own property, whatever its name is. */
function define(target: Record<string, unknown>, name: string, value: string): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}
