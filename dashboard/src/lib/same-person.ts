/** One page acts as one person, also after somebody else has signed in in another tab. */
import type { AppRouter } from '@svc-platform/client'
import { TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { fieldsOf } from '../../../src/api/client/call-scope.ts'
import type { CheckPerson } from './person-check'

/** A link that checks the person of each `account.get`. */
export function createPersonLink(check: CheckPerson): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) => {
      if (op.path !== 'account.get') return next(op)
      return observable((observer) =>
        next(op).subscribe({
          ...observer,
          next(envelope) {
            try {
              const { data } = fieldsOf(envelope.result)
              check(fieldsOf(fieldsOf(data).user).id)
            } catch (error) {
              observer.error(TRPCClientError.from(error instanceof Error ? error : new Error(String(error))))
              return
            }
            observer.next(envelope)
          },
        }),
      )
    }
}
