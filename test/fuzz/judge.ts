/** The violations in a response, whatever the request was. */
import type { Sent } from './calls.ts'
import { type Answer, isEventStream } from './client.ts'
import type { Victim } from './victim.ts'

/** Internal details: stacks, files, queries, drivers. */
const inside = new RegExp(
  [
    /\n\s+at /,
    /node_modules|\/src\/|\.ts:\d|file:\/\//,
    /\b(?:select|insert into|update|delete from) "/,
    /Failed query|PostgresError|SQLSTATE|violates|ZodError|TRPCError|\[object /,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)

const subscription = /^\/trpc\/events\.follow\?/

const jsonType = /^application\/json(?:; charset=utf-8)?$/

/** Requirements for every response of the API. */
export function problemsOf(sent: Sent, answer: Answer, victim: Victim): string[] {
  const { status, headers, text, body } = answer
  const problems: string[] = []
  const refuse = (wrong: boolean, what: string) => void (wrong && problems.push(what))
  const requestId = headers['x-request-id']
  refuse(status >= 500, `a ${status}`)
  refuse(typeof requestId !== 'string' || !/^[\w.-]{8,128}$/.test(requestId), 'no x-request-id')
  const isStream = isEventStream(headers) && subscription.test(sent.path)
  refuse(
    !isStream && !jsonType.test(String(headers['content-type'])),
    `the content type ${headers['content-type']}`,
  )
  refuse(!String(headers['cache-control']).includes('no-store'), 'caches may keep it')
  refuse(status === 401 && headers['www-authenticate'] !== 'Bearer', '401 without WWW-Authenticate')
  refuse(status === 429, 'a 429')
  refuse(inside.test(text), 'it reveals internal details')
  refuse(text.includes(victim.secret), "another team's secret")
  if (sent.method !== 'HEAD' && !isStream && !acceptsLines(sent)) refuse(body === undefined, 'it is not JSON')
  return problems
}

/** Additional requirements for a REST response. */
export function restProblemsOf(sent: Sent, { headers, body, status }: Answer): string[] {
  if (status < 400) return limitProblems(headers)
  // A HEAD's response has no reason.
  if (sent.method === 'HEAD') return []
  const { request_id, reason } = Object(body)
  const problems = request_id === headers['x-request-id'] ? [] : ['the request_id is not that of the header']
  // Malformed HTTP is refused before anybody counts.
  return reason === 'malformed_request' ? problems : [...problems, ...limitProblems(headers)]
}

function limitProblems(headers: Answer['headers']): string[] {
  const { ratelimit, 'ratelimit-policy': policy } = headers
  const isItem = (value: unknown) => typeof value === 'string' && /^"\w+";\w=\d+;\w=\d+$/.test(value)
  return isItem(ratelimit) && isItem(policy) ? [] : [`RateLimit: ${ratelimit}, RateLimit-Policy: ${policy}`]
}

/** As a streaming tRPC client requests: each line is JSON then. */
function acceptsLines({ headers }: Sent): boolean {
  return [headers.accept, headers['trpc-accept']].includes('application/jsonl')
}
