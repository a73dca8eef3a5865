/**
 * Other name servers, each with one thread for answers, as fast as its documentation makes it; undefined
 * where missing.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { hasCommand, serverCores, start } from '../children.mjs'

const host = '127.0.0.1'
const startMs = 30_000

/**
 * On the program's own database, from the views in the schema `powerdns`, with its caches as they are by
 * default.
 */
export async function startPowerDns(directory, databaseUrl) {
  if (!hasCommand('pdns_server')) return undefined
  const { hostname, port: databasePort, pathname, username, password } = new URL(databaseUrl)
  return startServer(directory, 'pdns', (own, port) => {
    const settings = {
      'local-address': host,
      'local-port': port,
      'socket-dir': own,
      daemon: 'no',
      guardian: 'no',
      launch: 'gpgsql',
      'gpgsql-host': hostname,
      'gpgsql-port': databasePort || 5432,
      'gpgsql-dbname': pathname.slice(1),
      'gpgsql-user': decodeURIComponent(username),
      'gpgsql-password': decodeURIComponent(password),
      'gpgsql-extra-connection-parameters': 'options=-csearch_path=powerdns',
      'receiver-threads': 1,
      'distributor-threads': 3,
      // For as long as the run takes: what is asked anew is the database's speed, not the server's.
      'cache-ttl': 3600,
      'query-cache-ttl': 3600,
      'negquery-cache-ttl': 3600,
      loglevel: 3,
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
    writeFileSync(join(own, 'pdns.conf'), `${lines.join('\n')}\n`)
    return ['pdns_server', `--config-dir=${own}`]
  })
}

export async function startNsd(directory, zones) {
  if (!hasCommand('nsd')) return undefined
  return startServer(directory, 'nsd', (own, port) => {
    const lines = [
      'server:',
      `  ip-address: ${host}@${port}`,
      '  server-count: 1',
      '  username: ""',
      '  rrl-ratelimit: 0',
      ...['pidfile: pid', 'xfrdfile: xfrd', 'zonelistfile: list', 'database: ""'].map((line) =>
        line.endsWith('""') ? `  ${line}` : `  ${line.replace(': ', `: ${own}/`)}`,
      ),
      `  xfrdir: ${own}`,
      'remote-control:',
      '  control-enable: no',
      ...zones.flatMap(({ name, file }) => ['zone:', `  name: ${name}`, `  zonefile: ${file}`]),
    ]
    writeFileSync(join(own, 'nsd.conf'), `${lines.join('\n')}\n`)
    return ['nsd', '-d', '-c', join(own, 'nsd.conf')]
  })
}

export async function startKnot(directory, zones) {
  if (!hasCommand('knotd')) return undefined
  return startServer(directory, 'knot', (own, port) => {
    const lines = [
      `server:\n  listen: ${host}@${port}\n` +
        `  rundir: ${own}\n  udp-workers: 1\n  tcp-workers: 1\n  background-workers: 1`,
      `database:\n  storage: ${own}/db\nlog:\n  - target: stderr\n    any: error\nzone:`,
      ...zones.map(({ name, file }) => `  - domain: ${name}\n    file: ${file}`),
    ]
    writeFileSync(join(own, 'knot.conf'), `${lines.join('\n')}\n`)
    return ['knotd', '-c', join(own, 'knot.conf')]
  })
}

/** A port that is free now, by UDP and TCP as far as can be told. */
export async function freeDnsPort() {
  const socket = createSocket('udp4').bind(0, host)
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}

async function startServer(directory, name, configure) {
  const own = join(directory, name)
  mkdirSync(own)
  const port = await freeDnsPort()
  const child = start(serverCores, configure(own, port))
  child.stdout.resume()
  const sinceMs = performance.now()
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() - sinceMs > startMs) {
      child.kill('SIGKILL')
      throw new Error(`it did not start (${name}), see its output.`)
    }
    await wait(50)
  }
  return { child, port }
}

/** A question about the first of the zones, without flags. */
const question = Buffer.concat([
  Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
  ...['zone-1', 'com', ''].map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
  Buffer.from([0, 6, 0, 1]),
])

/** Whether the server has loaded the zone. */
async function answers(port) {
  const socket = createSocket('udp4')
  try {
    socket.send(question, port, host)
    const [answer] = await once(socket, 'message', { signal: AbortSignal.timeout(300) })
    return (answer[3] & 0x0f) === 0 && (answer[2] & 0x04) !== 0
  } catch {
    return false
  } finally {
    socket.close()
  }
}
