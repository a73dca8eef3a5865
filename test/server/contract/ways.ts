/** What a way to be refused is given, and how it asks. */
import type { Reason } from '../../../src/errors.ts'
import type { TestNode } from '../../support/node.ts'
import type { TestTeam } from '../../support/team.ts'
import { callRest } from '../call-procedure.ts'
import { cases, type Fixture, type ProcedureName } from '../every-procedure.ts'
import { head, type RawAnswer } from '../raw-http.ts'
import { operationOf } from './operations.ts'

export type Asked = {
  name: ProcedureName
  node: TestNode
  /** A team with one of everything, for this way alone. */
  own: Fixture
  /** A call of the operation that its owner may make. */
  input: Record<string, unknown>
  /** The call with these changes; by the team's owner, unless another credential is given. */
  ask(changes?: Record<string, unknown>, options?: Options): Promise<Refusal>
}

/** `token` null asks without one. */
type Options = { node?: TestNode; token?: string | null; headers?: Record<string, string> }

export type Refusal = { status: number; body: unknown }

/** Brings about that an operation is refused. */
export type Way = (asked: Asked) => Promise<Refusal>

export type Ways = Partial<Record<Reason, Way>>

/** What the ways of one operation are given. */
export function askedOf(node: TestNode, name: ProcedureName, own: Fixture): Asked {
  const input = cases[name].input(own)
  return {
    name,
    node,
    own,
    input,
    ask: (changes, { node: at = node, token = own.team.ownerKey, headers } = {}) =>
      callRest(at, token ?? undefined, name, { ...input, ...changes }, headers),
  }
}

/** What another answer of the team's own says, which has to be a success. */
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
export function unknownReference({ name, own }: Asked, field?: string): Record<string, string> | undefined {
  const references = cases[name].references?.(own) ?? []
  const found = references.find((each) => field === undefined || each.field === field)
  return found && { [found.field]: found.unknown }
}

/** The path of the call that `input` makes. */
function pathOf({ name, input }: Pick<Asked, 'name' | 'input'>): string {
  return operationOf(name).template.replaceAll(/\{(\w+)\}/g, (_, field: string) =>
    encodeURIComponent(String(input[field])),
  )
}

/** The head of a request for the operation, whose body is sent by hand; by the team's owner unless `key` is given. */
export function headOf(asked: Asked, headers: string[], key = asked.own.team.ownerKey): string {
  const { method } = operationOf(asked.name)
  return head(`${method} ${pathOf(asked)}`, `Authorization: Bearer ${key}`, ...headers)
}

/** What a raw answer says. */
export function refusalOf({ status, body }: RawAnswer): Refusal {
  return { status, body: JSON.parse(body) }
}
