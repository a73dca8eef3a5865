/** Parses JSON bodies strictly; any other content is refused with a 400. */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { bodyTooLarge, readBody, withTimeout } from './read-body.ts'

export type BodyLimits = { maxJsonBytes: number; bodyTimeoutMs: number }

/** Makes `app` take JSON bodies in UTF-8, or none, and nothing else; handlers get the value, or its unparsed `text`. */
export function acceptOnlyJson(
  app: FastifyInstance,
  { maxJsonBytes, bodyTimeoutMs }: BodyLimits,
  as: 'value' | 'text' = 'value',
): void {
  const parseStrictly = app.getDefaultJsonParser('error', 'error')
  const decoder = new TextDecoder('utf-8', { fatal: true })

  async function parse(request: FastifyRequest): Promise<unknown> {
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      throw new AppError('unsupported_content_encoding', 'Send the body without a Content-Encoding.')
    }
    if (Number(request.headers['content-length'] ?? 0) > maxJsonBytes) throw bodyTooLarge(maxJsonBytes)
    const bytes = await readBody(request.raw, { maxBytes: maxJsonBytes, timeoutMs: bodyTimeoutMs })
    if (bytes.length === 0) return undefined
    if (as === 'text') return decode(bytes)
    return new Promise((resolve, reject) => {
      parseStrictly(request, decode(bytes), (error, value) => {
        if (error) reject(malformedJson(error))
        else resolve(value)
      })
    })
  }

  function decode(bytes: Buffer): string {
    try {
      return decoder.decode(bytes)
    } catch (cause) {
      throw malformedJson(cause)
    }
  }

  async function isEmpty(source: Readable): Promise<boolean> {
    const endMs = performance.now() + bodyTimeoutMs
    const { done } = await withTimeout(source, () => endMs - performance.now()).next()
    return done === true
  }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', parse)
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    const declared = Number(request.headers['content-length'] ?? Number.NaN)
    if (declared === 0 || (Number.isNaN(declared) && (await isEmpty(request.raw)))) return undefined
    throw new AppError(
      'unsupported_content_type',
      'Send the body as JSON, with Content-Type: application/json.',
    )
  })
}

function malformedJson(cause: unknown): AppError {
  const detail = cause instanceof SyntaxError && cause.name === 'SyntaxError' ? `: ${cause.message}` : ''
  return new AppError('malformed_json', `The body is not valid JSON${detail}.`, { cause })
}
