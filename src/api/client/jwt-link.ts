/** Lets a client with an API key or a session call servers that require JWTs: it exchanges that on demand. */
import { type Operation, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from '../routers/index.ts'
import { fieldsOf, isExchange } from './call-scope.ts'
import type { Caller } from './caller.ts'
import type { JwtSource } from './jwt-source.ts'
import { sendWithJwt } from './send-with-jwt.ts'

/**
 * A link that makes calls with the JWT that each has. An exchange that names no team is for `team`, unless
 * its context says `ofPerson`.
 */
export function createJwtLink({ known, jwtsFor }: Caller, team: string | undefined): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) => {
      if (isExchange(op)) return next(exchangeIn(team, op))
      const finding = known(op)
      const jwts = finding ? onceKnown(finding, () => jwtsFor(op)) : jwtsFor(op)
      if (!jwts) return next(op)
      return observable((observer) =>
        sendWithJwt({ op, next, observer, refusalOf: (error) => TRPCClientError.from(error) }, jwts),
      )
    }
}

/** The JWTs of a call that is known to be the team's or the person's only after `finding`. */
function onceKnown(
  finding: Promise<void>,
  find: () => JwtSource | undefined,
): Parameters<typeof sendWithJwt>[1] {
  return {
    current: () => find()?.current(),
    settled: async () => {
      await finding
      await find()?.settled()
    },
    renew: async (used) => find()?.renew(used),
  }
}

function exchangeIn(team: string | undefined, op: Operation): Operation {
  if (team === undefined || op.context.ofPerson === true) return op
  return { ...op, input: { team, ...fieldsOf(op.input) } }
}
