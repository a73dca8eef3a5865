/** Parses JSON bodies strictly; other content types are refused with a 400. */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inTurns } from '../../../lib/async/in-turns.ts'
import { letOthersRun } from '../../../lib/async/let-others-run.ts'
import { AppError } from '../../../lib/errors.ts'
import { maxItemsFor } from '../../trpc/check-input.ts'
import type { BodyBudget } from './body-budget.ts'
import { readHeld } from './held-body.ts'
import { wholeWithin, withinPace } from './read-body.ts'
import { scanJson } from './scan-json.ts'
import type { Timeouts } from './timeouts.ts'

/** To go through a larger one takes so long that others have their turn before it is done again. */
export const largeBytes = 64 * 1024

export type BodyLimits = {
  maxJsonBytes: number
  /** The longest list that a body may have. */
  maxItems: number
  bodyTimeoutMs: number
  bodies: BodyBudget
}

type Deps = Pick<BodyLimits, 'maxJsonBytes' | 'bodies'> & {
  services: { caps: { maxFiles: number } }
  timeouts: Pick<Timeouts, 'bodyMs'>
}

/** The limits of the API's bodies. */
export function bodyLimitsOf({ maxJsonBytes, services, timeouts, bodies }: Deps): BodyLimits {
  const maxItems = maxItemsFor(services.caps.maxFiles)
  return { maxJsonBytes, maxItems, bodyTimeoutMs: timeouts.bodyMs, bodies }
}

/** Makes `app` accept only JSON bodies in UTF-8, or none; handlers get the value, or the unparsed `text`. */
export function acceptOnlyJson(
  app: FastifyInstance,
  { maxJsonBytes, maxItems, bodyTimeoutMs, bodies }: BodyLimits,
  as: 'value' | 'text' = 'value',
): void {
  const parseStrictly = app.getDefaultJsonParser('error', 'error')
  const decoder = new TextDecoder('utf-8', { fatal: true })

  async function parse(request: FastifyRequest): Promise<unknown> {
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      throw new AppError('unsupported_content_encoding', 'Send the body without a Content-Encoding.')
    }
    const bytes = await readHeld(request, bodies, { maxBytes: maxJsonBytes, timeoutMs: bodyTimeoutMs })
    if (bytes.length === 0) return undefined
    const isLarge = bytes.length > largeBytes
    if (isLarge) {
      await letOthersRun()
      await inTurns(scanJson(bytes, maxItems))
      await letOthersRun()
    }
    const text = decode(bytes)
    if (as === 'text') return text
    if (isLarge) await letOthersRun()
    const value = await parseText(request, text)
    if (isLarge) await letOthersRun()
    return value
  }

  function parseText(request: FastifyRequest, text: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      parseStrictly(request, text, (error, value) => {
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

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', parse)
  refuseOtherTypes(app, 'Send the body as JSON, with Content-Type: application/json.', bodyTimeoutMs)
}

/** Makes `app` refuse bodies of the types that it has no parser for, with `advice` on which to send. */
export function refuseOtherTypes(app: FastifyInstance, advice: string, bodyTimeoutMs: number): void {
  async function isEmpty(source: Readable): Promise<boolean> {
    const { done } = await withinPace(source, wholeWithin(bodyTimeoutMs)).next()
    return done === true
  }

  app.removeContentTypeParser('*')
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    const { 'content-length': length, expect } = request.headers
    const declared = Number(length ?? Number.NaN)
    // Whoever waits to be asked for a body has one (RFC 9110, section 10.1.1).
    const mayBeEmpty = Number.isNaN(declared) && expect === undefined
    if (declared === 0 || (mayBeEmpty && (await isEmpty(request.raw)))) return undefined
    throw new AppError('unsupported_content_type', advice)
  })
}

function malformedJson(cause: unknown): AppError {
  const detail = cause instanceof SyntaxError && cause.name === 'SyntaxError' ? `: ${cause.message}` : ''
  return new AppError('malformed_json', `The body is not valid JSON${detail}.`, { cause })
}
