/** The refusals of an S3 service, and which of them may pass. */
import type { Dispatcher } from 'undici'
import { readXml } from './xml.ts'

/** A refusal by the service. */
export class S3Error extends Error {
  readonly status: number
  /** Such as `NoSuchKey`; empty if the service names none. */
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(`${status} ${code}${message && `: ${message}`}`)
    this.name = 'S3Error'
    this.status = status
    this.code = code
  }
}

/** The answer of something that is no service, such as a proxy or a portal. */
const page = 'HTML page'

const skewed = 'RequestTimeTooSkewed'

/** More is no S3 error document. */
const maxErrorBytes = 64 * 1024

/** The refusal in a response; consumes its body. */
export async function readFailure({ statusCode, body, headers }: Dispatcher.ResponseData): Promise<S3Error> {
  let text = ''
  for await (const chunk of body.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > maxErrorBytes) break
  }
  if (isPage(headers)) return new S3Error(statusCode, page, '')
  const found = readXml(text)
  const code = found?.text('Code') ?? ''
  const message = found?.text('Message') ?? ''
  if (code !== skewed) return new S3Error(statusCode, code, message)
  const clocks =
    `it is ${new Date().toISOString()} here, ` + `and ${String(headers.date ?? 'unknown')} at the service`
  return new S3Error(statusCode, code, `${message} Correct the clock: ${clocks}.`)
}

/** Whether a response is for people, and so not of an S3 service. */
function isPage(headers: Dispatcher.ResponseData['headers']): boolean {
  return /^text\/html\b/i.test(String(headers['content-type']))
}

/**
 * Whether repeating the request may help: after a lost connection, an overload, or with a clock corrected by
 * now.
 */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof S3Error)) return true
  return error.status >= 500 || error.status === 429 || error.code === skewed
}

/** The codes of AWS and nearly all other services, and of Azure behind gateways that pass its codes on. */
const missingObject = ['NoSuchKey', 'BlobNotFound']

/**
 * Whether the object or the upload, rather than the bucket, does not exist. The response to HEAD has no code;
 * another one without is not of an S3 service, and a page never is. A code that isn't known to mean it means
 * that the object may be there.
 */
export function isMissing(error: unknown, method: string): boolean {
  if (!(error instanceof S3Error) || error.status !== 404) return false
  if (error.code === '') return method === 'HEAD' || method === 'DELETE'
  return missingObject.includes(error.code) || (method === 'DELETE' && error.code === 'NoSuchUpload')
}
