/** Lines in a build's log about hosts that it could not reach. */
import type { HostPort } from '../../../lib/names/host-port.ts'
import { BlockedAddressError, UnresolvedError } from '../../../lib/net/vetted-lookup.ts'

export function refused({ name, port }: HostPort): string {
  return `Refused: ${name}:${port} is not in SVC_BUILD_HOSTS.`
}

/** Without the address, which may be inside. */
export function unreachable({ name, port }: HostPort, error: Error): string {
  return `Unreachable: ${name}:${port}, ${reasonOf(error)}.`
}

function reasonOf(error: Error): string {
  if (error instanceof BlockedAddressError) {
    return 'which has no public address (private ones need SVC_RESOLVE_PRIVATE=1)'
  }
  return error instanceof UnresolvedError
    ? 'whose name has no address'
    : 'which does not accept the connection'
}

/** Whether a line of the log is one of these. */
export function isReport(line: string): boolean {
  return /^(?:Refused|Unreachable): [\w.-]+:\d+[ ,].*\.$/.test(line)
}
