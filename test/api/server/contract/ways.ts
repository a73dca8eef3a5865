/** What a test of a refusal receives, and how it calls. */
import type { Reason } from '../../../../src/lib/errors.ts'
import type { TestNode } from '../../../support/node.ts'
import type { TestTeam } from '../../../support/team.ts'
import { callRest } from '../call-procedure.ts'
import { cases, type Fixture, type ProcedureName } from '../every-procedure.ts'
import { head, type RawAnswer } from '../raw-http.ts'
import { operationOf } from './operations.ts'

export type WayContext = {
  name: ProcedureName
  node: TestNode
  /** A fixture for this way alone. */
  own: Fixture
  /** A valid call of the operation by its owner. */
  input: Record<string, unknown>
  /** Makes the call with these changes; as the team's owner, unless another credential is given. */
  call(changes?: Record<string, unknown>, options?: Options): Promise<Refusal>
}

/** `token` null calls anonymously. */
type Options = { node?: TestNode; token?: string | null; headers?: Record<string, string> }

export type Refusal = { status: number; body: unknown }

/** Makes an operation refuse. */
export type Way = (context: WayContext) => Promise<Refusal>

export type Ways = Partial<Record<Reason, Way>>

/** Creates the context for the ways of one operation. */
export function contextOf(node: TestNode, name: ProcedureName, own: Fixture): WayContext {
  const input = cases[name].input(own)
  return {
    name,
    node,
    own,
    input,
    call: (changes, { node: at = node, token = own.team.ownerKey, headers } = {}) =>
      callRest(at, token ?? undefined, name, { ...input, ...changes }, headers),
  }
}

/** The body of another call by the team, which must succeed. */
export async function made(
  team: TestTeam,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) {
  const answer = await team.owner(method, path, body, headers)
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** A reference in the operation's input to something that doesn't exist. */
export function unknownReference(
  { name, own }: WayContext,
  field?: string,
): Record<string, string> | undefined {
  const references = cases[name].references?.(own) ?? []
  const found = references.find((each) => field === undefined || each.field === field)
  return found && { [found.field]: found.unknown }
}

/** The path of a call with `input`. */
function pathOf({ name, input }: Pick<WayContext, 'name' | 'input'>): string {
  return operationOf(name).template.replaceAll(/\{(\w+)\}/g, (_, field: string) =>
    encodeURIComponent(String(input[field])),
  )
}

/**
 * The head of a request for the operation, whose body is sent by hand; as the team's owner unless `key` is
 * given.
 */
export function headOf(context: WayContext, headers: string[], key = context.own.team.ownerKey): string {
  const { method } = operationOf(context.name)
  return head(`${method} ${pathOf(context)}`, `Authorization: Bearer ${key}`, ...headers)
}

/** The body of a raw response. */
export function refusalOf({ status, body }: RawAnswer): Refusal {
  return { status, body: JSON.parse(body) }
}
