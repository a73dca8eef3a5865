/** The sentences for the deployer of a server that does not start. */
import { serverPort } from '../projects/server-port.ts'
import type { Ending } from './server-process.ts'

/** `silent`: it runs, but after `listenMs` it does not listen on its port; `ports` are the others. */
export type FailedStart =
  | { how: 'ended'; ending: Ending }
  | { how: 'silent'; ports: number[]; listenMs: number }

const port = `$PORT (${serverPort})`

/** Says why a server with this start command, and this memory in bytes, does not listen, and what to do. */
export function describeFailedStart(
  failure: FailedStart,
  { command, memoryBytes }: { command: string; memoryBytes: number },
): string {
  if (failure.how === 'ended')
    return describeEnd(failure.ending, memoryBytes, `before it listened on ${port}`)
  const { ports, listenMs } = failure
  const within = `within ${Math.round(listenMs / 1_000)} s`
  if (ports.includes(serverPort)) return notNodes(command)
  const advice = overridesOptions(command) ? ` ${optionsAdvice}` : ''
  if (ports.length === 0) return `The server did not listen on ${port} ${within}.${advice}`
  const found = ports.slice(0, maxPorts).join(', ')
  const named = ports.length === 1 ? `port ${found}` : `ports ${found}`
  return `The server listens on ${named} instead of ${port}: have it listen on \`process.env.PORT\`.${advice}`
}

/** The most ports that are named. */
const maxPorts = 5

/** Says how a server ended, and `when`, as in "before it listened". */
export function describeEnd(
  { code, signal, outOfMemory }: Ending,
  memoryBytes: number,
  when: string,
): string {
  if (outOfMemory) {
    const mebibytes = Math.round(memoryBytes / 1024 / 1024)
    return (
      `The server ran out of memory (${mebibytes} MiB): ` +
      'raise `memory_bytes` of `runtime`, or have it keep less in memory.'
    )
  }
  const how = signal === undefined ? `ended with exit code ${code}` : `was ended by ${signal}`
  return `The server ${how} ${when}.`
}

const optionsAdvice =
  'The start command sets `NODE_OPTIONS`, by which the platform has a server listen: ' +
  'leave it out there, and set a variable of the project instead.'

/** Its port is in use, but not by way of the platform's socket. */
function notNodes(command: string): string {
  const where = `The server listens on ${port}, but out of reach.`
  if (overridesOptions(command)) return `${where} ${optionsAdvice}`
  return `${where} Only programs that run with Node, and with \`NODE_OPTIONS\` as it is, can be servers.`
}

function overridesOptions(command: string): boolean {
  return (
    /\bNODE_OPTIONS=(?!["']?\$\{?NODE_OPTIONS)/.test(command) ||
    /\benv\s+-(?:i|u\s*NODE_OPTIONS)\b/.test(command)
  )
}
