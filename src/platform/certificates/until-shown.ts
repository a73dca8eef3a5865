/** Waits until what an authority will look for can be seen. */
import { Resolver } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { CertificateError, dnsNotDelegated } from './certificate-failure.ts'
import { challengeRecordOf } from './certificate-names.ts'
import { type Challenge, challengeTxt } from './challenges.ts'

/** Every node shows a challenge by then, in milliseconds. */
const shownMs = 1_000

const pollMs = 500
const patienceMs = 15_000
const tryMs = 2_000

type Options = {
  /** Addresses of resolvers, with a port if it isn't 53; default: the system's. */
  servers: string[] | undefined
  stopping: AbortSignal
}

/** A validation that fails counts against what an authority allows, so DNS is asked before it is. */
export function createUntilShown({ servers, stopping }: Options): (challenge: Challenge) => Promise<void> {
  return async (challenge) => {
    await sleep(shownMs, undefined, { signal: stopping })
    if (challenge.type !== 'dns-01') return
    const record = challengeRecordOf(challenge.name)
    const value = challengeTxt(challenge)
    const endMs = performance.now() + patienceMs
    while (!(await hasTxt(servers, record, value))) {
      if (performance.now() > endMs) throw new CertificateError(dnsNotDelegated(record))
      await sleep(pollMs, undefined, { signal: stopping })
    }
  }
}

async function hasTxt(servers: string[] | undefined, record: string, value: string): Promise<boolean> {
  const resolver = new Resolver({ timeout: tryMs, tries: 1 })
  if (servers) resolver.setServers(servers)
  const found = await resolver.resolveTxt(record).catch(() => [])
  return found.some((parts) => parts.join('') === value)
}
