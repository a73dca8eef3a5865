/**
 * A network whose every address is its own, so that whatever a sandbox connects to arrives at a listener
 * there, with the address that it meant: the local routes of Linux ("AnyIP"). Nothing in the sandbox may
 * change the routes.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { systemPath } from '../toolchain.ts'
import { handingArguments, type ListenerAddress } from './open-listeners.ts'

const run = promisify(execFile)

/** A kernel may have no IPv6. */
const addRoutes =
  'ip link set lo up && ip route add local default dev lo && ' +
  '{ ip -6 route add local default dev lo 2>/dev/null || true; }'

/** A network of its own for what follows; as root there is no need of a namespace of users. */
function ownNetwork(): string[] {
  const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
  return ['unshare', ...asRoot, '--net', '/bin/sh', '-c']
}

/**
 * The command that makes such a network, hands the listeners in it over by the channel at `descriptor`, and
 * becomes the command that follows there.
 */
export function routedCommand(listeners: readonly ListenerAddress[], descriptor: number): string[] {
  const node = [process.execPath, ...handingArguments(listeners)]
  const script = `${addRoutes} && "$1" "$2" "$3" "$4" && exec ${descriptor}>&- && shift 4 && exec "$@"`
  return [...ownNetwork(), script, 'sh', ...node]
}

const maxMs = 10_000

/** Why no such network can be made on this host, for its operator; undefined if it can. */
export async function findRouteProblem(path = systemPath): Promise<string | undefined> {
  const [program = '', ...args] = [...ownNetwork(), addRoutes]
  try {
    await run(program, args, { env: { PATH: path }, timeout: maxMs })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error)
  }
}
