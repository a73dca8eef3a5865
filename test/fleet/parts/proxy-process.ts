/** TCP proxies as a process of their own, which cuts and slows connections as its parent says. */
import { z } from 'zod'
import { startTcpProxy, type TcpProxy } from '../../api/server/tcp-proxy.ts'

const requestSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('start'), port: z.int(), at: z.int() }),
  z.strictObject({ do: z.literal('cut'), proxy: z.int() }),
  z.strictObject({ do: z.literal('restore'), proxy: z.int() }),
  z.strictObject({ do: z.literal('delay'), proxy: z.int(), ms: z.number() }),
])
export type ProxyRequest = z.infer<typeof requestSchema>

/** By the port that each listens on. */
const proxies = new Map<number, TcpProxy>()

process.on('message', async (message) => process.send?.(await handle(requestSchema.parse(message))))
process.on('disconnect', () => process.exit())

async function handle(request: ProxyRequest): Promise<number> {
  if (request.do === 'start') {
    const started = await startTcpProxy('127.0.0.1', request.port, request.at)
    proxies.set(started.port, started)
    return started.port
  }
  const proxy = proxies.get(request.proxy)
  if (request.do === 'cut') await proxy?.cut()
  else if (request.do === 'restore') await proxy?.restore()
  else proxy?.delay(request.ms)
  return request.proxy
}
