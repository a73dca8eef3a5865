/** Who a page acts for: the first person whom a response names. */
import { Refusal } from './refusal.ts'

/** The first `userId` is the person of the page. @throws Refusal for every other. */
export type CheckPerson = (userId: unknown) => void

/** Calls `reload` where the person is another than the first. */
export function createPersonCheck(reload: () => void): CheckPerson {
  let first: string | undefined
  return (userId) => {
    if (typeof userId !== 'string') return
    first ??= userId
    if (userId === first) return
    reload()
    throw new Refusal('Somebody else has signed in with this browser. Reload the page.')
  }
}
