/** Sends requests to the API of a forge, as JSON. */
import type { z } from 'zod'
import { version } from '../../../lib/version.ts'
import type { ForgeFailure, ForgeFetch, ForgeResponse } from './forge-fetch.ts'
import type { ApiPlace } from './repository-place.ts'

export type ApiRequest = { method: 'GET' | 'POST' | 'PUT' | 'PATCH'; url: string; body?: unknown }

export type ApiAnswer = ForgeResponse | ForgeFailure

/** Never rejects. */
export type Send = (request: ApiRequest) => Promise<ApiAnswer>

type Way = { place: Pick<ApiPlace, 'headers'>; fetch: ForgeFetch; signal?: AbortSignal | undefined }

/** A way to send requests with the token of `place`, until `signal` aborts. */
export function createSend({ place, fetch, signal }: Way): Send {
  return ({ method, url, body }) => {
    const common = { ...place.headers, 'user-agent': `svc/${version}` }
    if (body === undefined) return fetch({ method, url, headers: common, body: undefined, signal })
    const headers = { ...common, 'content-type': 'application/json' }
    return fetch({ method, url, headers, body: JSON.stringify(body), signal })
  }
}

/** The parsed text of an answer; undefined for a failure, and for a text that is not as expected. */
export function parseAnswer<T>(answer: ApiAnswer, schema: z.ZodType<T>): T | undefined {
  if ('failure' in answer) return undefined
  try {
    return schema.safeParse(JSON.parse(answer.text)).data
  } catch {
    return undefined
  }
}
