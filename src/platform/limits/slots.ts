/** Counts what each client holds at a time, such as open connections. */

export type Slots = {
  /** Takes one for `client`; false if it has the most already. */
  take(client: string): boolean | Promise<boolean>
  /** Returns one that was taken. */
  giveBack(client: string): void
}

/** At most `most` for each client. */
export function createSlots(most: number): Slots & { take(client: string): boolean } {
  const taken = new Map<string, number>()
  return {
    take(client) {
      const count = taken.get(client) ?? 0
      if (count >= most) return false
      taken.set(client, count + 1)
      return true
    },
    giveBack(client) {
      const left = (taken.get(client) ?? 1) - 1
      if (left <= 0) taken.delete(client)
      else taken.set(client, left)
    },
  }
}
