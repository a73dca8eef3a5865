/** What servers have in memory that nobody uses for the moment. */
import { join } from 'node:path'
import { amount } from './amount.mjs'
import { openConnection } from './ask.mjs'
import { proportionalBytesBelow, stop } from './children.mjs'
import { deployServer, hello, inSandbox, socketsIn } from './servers.mjs'
import { startSvc } from './svc.mjs'

const count = amount(20, 2)
const megabyte = 1_000_000

/** Sums up the memory of the sandboxes of as many deployments, each after one request. */
export const benchServerMemory = inSandbox(
  `${count} idle servers, plain node:http, in MB`,
  async (title, { directory, openDatabase }) => {
    const place = join(directory, 'svc')
    const settings = { SVC_RUNTIME_MAX: String(count), SVC_RUNTIME_BYTES: String(count * 1024 ** 3) }
    const svc = await startSvc(place, (await openDatabase()).url, settings)
    await svc.call('PUT', '/v1/projects/bench', {})
    const hosts = []
    for (let made = 0; made < count; made += 1) {
      const { url } = await deployServer(svc, 'bench', { 'server.mjs': hello })
      hosts.push(new URL(url).host)
    }
    for (const host of hosts) {
      const { ask, close } = await openConnection(svc.edgePort)
      await ask('/', { host })
      close()
    }
    const running = socketsIn(place).length
    if (running !== count) throw new Error(`${running} servers run instead of ${count}.`)
    const total = proportionalBytesBelow(svc.child) / megabyte
    await stop(svc.child)
    return {
      title,
      notes: [
        'Memory that processes share counts in parts (PSS); what bubblewrap and shells have is included.',
      ],
      durations: [
        { what: 'all of them', ms: total },
        { what: 'each', ms: total / count },
      ],
    }
  },
)
