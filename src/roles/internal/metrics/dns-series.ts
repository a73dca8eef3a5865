/** Counts of the name server: questions answered and not answered. */
import type { DnsObserver } from '../../../platform/observability/observers.ts'
import type { Series } from './series.ts'
import { createTally } from './tally.ts'

/** By number (IANA's registry of DNS parameters); all that the name server ever sends. */
const rcodes = new Map([
  [0, 'NOERROR'],
  [1, 'FORMERR'],
  [2, 'SERVFAIL'],
  [3, 'NXDOMAIN'],
  [4, 'NOTIMP'],
  [5, 'REFUSED'],
  [16, 'BADVERS'],
])

export function createDnsSeries(): { observe: DnsObserver; series: Series[] } {
  const answers = { udp: createTally<number>(), tcp: createTally<number>() }
  const limited = createTally(['truncate', 'drop'])
  return {
    observe: {
      answered: (transport, rcode) => answers[transport].add(rcode),
      limited: limited.add,
    },
    series: [
      {
        name: 'svc_dns_answers_total',
        help:
          'Responses to DNS questions. transport: udp, tcp; ' +
          'rcode: NOERROR, NXDOMAIN, REFUSED (not a zone of ours), SERVFAIL and so on.',
        type: 'counter',
        labels: ['transport', 'rcode'],
        read: () =>
          Object.entries(answers).flatMap(([transport, tally]) =>
            tally.entries().map(([rcode, value]) => ({
              labels: { transport, rcode: rcodes.get(rcode) ?? 'other' },
              value,
            })),
          ),
      },
      {
        name: 'svc_dns_limited_total',
        help:
          'UDP questions beyond SVC_DNS_RATE. ' +
          'verdict: truncate, to be retried over TCP; drop, not answered.',
        type: 'counter',
        labels: ['verdict'],
        read: () => limited.entries().map(([verdict, value]) => ({ labels: { verdict }, value })),
      },
    ],
  }
}
