/** The name server: authoritative for verified domains, by UDP and TCP on one port. */
import { lookup } from 'node:dns/promises'
import type { Listening } from '../../lib/net/listen.ts'
import { SettingsError } from '../../lib/settings/error.ts'
import type { DnsObserver } from '../../platform/observability/observers.ts'
import { createResponder, type ResponderOptions } from './respond.ts'
import { createResponseRate } from './sockets/response-rate.ts'
import { listenTcp } from './sockets/tcp.ts'
import { listenUdp } from './sockets/udp.ts'

type Options = ResponderOptions & {
  host: string
  /** 0 for any free port. */
  port: number
  /** Responses per second and network over UDP, and as many over TCP; 0: no limit. */
  rate: number
  observe?: DnsObserver | undefined
}

/** With port 0, how often another port is tried when the other protocol has it already. */
const attempts = 10

/** Starts the name server. @throws SettingsError when the port can't be used. */
export async function startNameServer({
  host,
  port,
  rate,
  observe,
  ...options
}: Options): Promise<Listening> {
  const responder = createResponder(options)
  try {
    const sockets = await listenOnBoth(responder.respond, { host, port, rate, observe })
    return {
      port: sockets.port,
      async close(waitMs) {
        await sockets.close(waitMs)
        responder.stop()
      },
    }
  } catch (error) {
    responder.stop()
    throw error
  }
}

async function listenOnBoth(
  respond: ReturnType<typeof createResponder>['respond'],
  {
    host,
    port,
    rate,
    observe,
  }: Pick<Options, 'host' | 'port' | 'rate'> & { observe: DnsObserver | undefined },
): Promise<Listening> {
  const { address, family } = await lookup(host)
  const [udpVerdict, tcpVerdict] = [newRate(rate), newRate(rate)]
  for (let attempt = 1; ; attempt += 1) {
    const tcp = await listenTcp({ respond, observe, verdict: tcpVerdict, host: address, port }).catch(
      (error) => refuse(error, host, port),
    )
    try {
      const udp = await listenUdp({
        respond,
        observe,
        verdict: udpVerdict,
        family: family === 6 ? 6 : 4,
        host: address,
        port: tcp.port,
      })
      return {
        port: tcp.port,
        async close(waitMs) {
          await Promise.all([udp.close(waitMs), tcp.close(waitMs)])
        },
      }
    } catch (error) {
      await tcp.close(0)
      if (port !== 0 || attempt === attempts) refuse(error, host, port)
    }
  }
}

function newRate(perSecond: number) {
  return createResponseRate(perSecond, () => performance.now())
}

function refuse(error: unknown, host: string, port: number): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    throw new SettingsError(`Port ${port} of ${host} is in use. Set SVC_DNS_PORT to a free one.`)
  }
  if (code === 'EACCES') {
    throw new SettingsError(
      `This process may not listen on port ${port} of ${host}. ` +
        'Set SVC_DNS_PORT to one above 1023, or allow it (on Linux: CAP_NET_BIND_SERVICE).',
    )
  }
  throw error
}
