/** Explains failures of builds that tried to use a network which they may not use. */
import { noNetwork } from '../../lib/settings/build-network.ts'
import type { BuildNetwork } from '../sandbox/registries/network.ts'
import { isReport } from '../sandbox/registries/reports.ts'

export type NetworkHint = {
  /** Takes a line of the build's output. */
  look(line: string): void
  /** A sentence for the error message; undefined if nothing in the output was about the network. */
  sentence(): string | undefined
}

/**
 * Messages of npm, Node, git, curl, pip and the C library for names that can't be resolved and networks that
 * can't be reached.
 */
const offline = new RegExp(
  [
    /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH)\b/,
    /could not resolve host/,
    /failure in name resolution/,
    /name or service not known/,
    /network is unreachable/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)

/**
 * Watches the output of a command that runs with this network. A command that installs packages needs one,
 * whatever it prints.
 */
export function createNetworkHint(network: BuildNetwork, step: 'install' | 'build'): NetworkHint {
  let found: string | undefined = network === 'none' && step === 'install' ? noNetwork : undefined

  function look(line: string): void {
    if (found !== undefined || network === 'host') return
    if (network !== 'none' && isReport(line)) found = line
    if (network === 'none' && offline.test(line)) found = noNetwork
  }

  return { look, sentence: () => found }
}
