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

/** Messages of Node, npm, git, curl, pip, Cargo and Go for certificates of authorities unknown to them. */
const untrusted = new RegExp(
  [
    /\b(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT\w*)\b/,
    /\bUNABLE_TO_VERIFY_LEAF_SIGNATURE\b/,
    /certificate verify failed/,
    /self[- ]signed certificate/,
    /unable to get local issuer certificate/,
    /certificate signed by unknown authority/,
    /\bUnknownIssuer\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)

const aboutAuthority =
  'A certificate is not trusted, as behind a proxy that replaces them: name the file with its authority ' +
  'in a variable of the project, such as NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt.'

const fonts = /\bfonts\.(?:googleapis|gstatic)\.com\b|\bfrom Google Fonts\b/

const hostOfFonts = 'fonts.googleapis.com'

/** As create-next-app's own page does by next/font/google. */
const aboutFonts =
  'The build fetches fonts of Google, which it does not reach here: take them from files, such as by ' +
  'next/font/local, or from a package of fonts; or have the operator add ' +
  `${hostOfFonts} and fonts.gstatic.com to SVC_BUILD_HOSTS, with SVC_BUILD_NETWORK=registries.`

/** Whether a build may fetch them. */
function reachesFonts(network: BuildNetwork): boolean {
  if (network === 'none' || network === 'host') return network === 'host'
  return network.hosts.some(({ name }) => name === hostOfFonts)
}

/**
 * Watches the output of a command that runs with this network. A command that installs packages needs one,
 * whatever it prints.
 */
export function createNetworkHint(
  network: BuildNetwork,
  step: 'install' | 'build' | 'complete' | 'prune',
): NetworkHint {
  let found: string | undefined = network === 'none' && step === 'install' ? noNetwork : undefined

  function look(line: string): void {
    if (found !== undefined) return
    if (fonts.test(line) && !reachesFonts(network)) found = aboutFonts
    else if (network === 'none') found = offline.test(line) ? noNetwork : undefined
    else if (network !== 'host' && isReport(line)) found = line
    else if (untrusted.test(line)) found = aboutAuthority
  }

  return { look, sentence: () => found }
}
