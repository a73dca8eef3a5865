/** Addresses that stand for names in the network of a server: a connection says which name it means. */
import { LRUCache } from 'lru-cache'

export type SyntheticNames = {
  /** The address of a name; while it is in use it stays the same. */
  addressOf(name: string): string
  /** The name that has the address; undefined if none has. */
  nameAt(address: string): string | undefined
}

/** 198.18.0.0/15 (RFC 2544) without its first and last address: hosts of networks have none of these. */
const first = 198 * 2 ** 24 + 18 * 2 ** 16 + 1
const addresses = 2 ** 17 - 2

/** More names than these lose the addresses of those not used for the longest time. */
const maxNames = 4_096

/** Names of one server. An address is given to another name only after all others. */
export function createSyntheticNames(): SyntheticNames {
  const byAddress = new Map<string, string>()
  const byName = new LRUCache<string, string>({
    max: maxNames,
    dispose: (address) => byAddress.delete(address),
  })
  let given = 0
  return {
    addressOf(name) {
      const known = byName.get(name)
      if (known !== undefined) return known
      const address = dotted(first + (given % addresses))
      given += 1
      byName.set(name, address)
      byAddress.set(address, name)
      return address
    },
    nameAt(address) {
      const name = byAddress.get(address)
      if (name !== undefined) byName.get(name)
      return name
    },
  }
}

function dotted(number: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join('.')
}

/** Whether an address is one that stands for a name. */
export function isSynthetic(address: string): boolean {
  return /^198\.1[89]\./.test(address)
}
