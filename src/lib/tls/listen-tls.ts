/** Opens a port for TLS beside one for plain HTTP/1.1. */
import { stopTimes } from '../net/connections.ts'
import type { Http2Server } from '../net/http2-server.ts'
import { bind, type Place, type StopsAccepting, stopsOf } from '../net/listen.ts'
import type { TlsServer } from './tls-server.ts'

type Listened = {
  tls: TlsServer
  http2: Http2Server
  /** The listening HTTP/1.1 server, which has the HTTP/1.1 connections of TLS, too. */
  plain: StopsAccepting
}

/**
 * Resolves once `tls` listens; closing it closes `plain`, too.
 * @throws SettingsError when the port is in use.
 */
export async function listenTls({ tls, http2, plain }: Listened, place: Place): Promise<StopsAccepting> {
  const port = await bind(tls.server, place)
  const { stopAccepting, close } = stopsOf(tls.server)
  return {
    port,
    async stopAccepting() {
      await Promise.all([stopAccepting(), plain.stopAccepting()])
    },
    async close(waitMs) {
      const endMs = performance.now() + waitMs
      await close(async () => {
        await tls.handshakesEnd(stopTimes(waitMs).silenceMs)
        const leftMs = Math.max(0, endMs - performance.now())
        await Promise.all([plain.close(leftMs), http2.end(stopTimes(leftMs))])
        tls.cut()
      })
    },
  }
}
