/** Opens the ports of the API: plain HTTP/1.1, and HTTPS with HTTP/2 and HTTP/1.1 if set. */
import type { FastifyInstance } from 'fastify'
import type { Logger } from '../../log/logger.ts'
import { stopTimes } from '../../net/connections.ts'
import { bind, type Listening, listen, stop } from '../../net/listen.ts'
import type { Settings } from '../../settings/variables.ts'
import type { Timeouts } from '../deps.ts'
import { openCertificate } from '../tls/open-certificate.ts'
import { createTlsServer } from '../tls/tls-server.ts'
import { createHttp2Server } from './http2-server.ts'

type Deps = {
  settings: Settings
  timeouts: Timeouts
  log: Logger
  nowMs: () => number
  /** Called with the status of each request that was refused before it was parsed. */
  onRefused: (status: number) => void
}

/**
 * Resolves once all ports listen; `tlsPort` is the port of HTTPS, if any.
 * @throws SettingsError when a port is in use, or the certificate can't be used.
 */
export async function listenApi(
  app: FastifyInstance,
  deps: Deps,
): Promise<Listening & { tlsPort: number | undefined }> {
  const { SVC_PORT, SVC_TLS_PORT, SVC_HOST } = deps.settings
  const plain = await listen(app.server, { port: SVC_PORT, host: SVC_HOST, setting: 'SVC_PORT' })
  if (SVC_TLS_PORT === undefined) return { ...plain, tlsPort: undefined }
  try {
    const tls = await listenTls(app, plain, SVC_TLS_PORT, deps)
    return { port: plain.port, tlsPort: tls.port, close: tls.close }
  } catch (error) {
    await plain.close(0)
    throw error
  }
}

/** Its `close` closes `plain`, too, which also has the HTTP/1.1 connections of TLS. */
async function listenTls(
  app: FastifyInstance,
  plain: Listening,
  port: number,
  { settings, timeouts, log, nowMs, onRefused }: Deps,
): Promise<Listening> {
  const { certificate, watch } = await openCertificate(settings, nowMs)
  const http2 = createHttp2Server(timeouts, (request, response) => app.routing(request, response), onRefused)
  const tls = createTlsServer(certificate, timeouts.headersMs, { http1: app.server, http2 })
  const listening = await bind(tls.server, { port, host: settings.SVC_HOST, setting: 'SVC_TLS_PORT' })
  const stopWatching = watch(tls.use, log, timeouts.checkMs)
  return {
    port: listening,
    async close(waitMs) {
      stopWatching()
      const endMs = performance.now() + waitMs
      await stop(tls.server, async () => {
        await tls.handshakesEnd(stopTimes(waitMs).silenceMs)
        const leftMs = Math.max(0, endMs - performance.now())
        await Promise.all([plain.close(leftMs), http2.end(stopTimes(leftMs))])
        tls.cut()
      })
    },
  }
}
