/** A REST client for tests. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { knowSecret, knowSecretsIn } from './kept-logs.ts'
import type { TestNode } from './node.ts'

// biome-ignore lint/suspicious/noExplicitAny: every answer is held against the document, which says its type.
export type Answer = { status: number; headers: Headers; body: any }

/** Sends one request; a body is sent as JSON. */
export type Api = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>

/** A client that authenticates with `token`, or is anonymous. */
export function apiOf(node: TestNode, token?: string): Api {
  knowSecret('a credential', token)
  return async (method, path, body, headers = {}) => {
    knowSecretsIn(body)
    // A test in the node's own process may have kept it busy for longer than a connection may be idle: what
    // the node closes by then is seen to be closed.
    await nextTurn()
    await nextTurn()
    const response = await fetch(new URL(path, node.apiUrl), {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    knowSecretsIn(answer.body)
    return answer
  }
}
