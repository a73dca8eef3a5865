/** The network that builds have by the settings. */
import type { Settings } from './variables.ts'

/** `none`: nothing; `registries`: package registries alone; `host`: whatever this host can reach. */
export type BuildReach = 'none' | 'registries' | 'host'

/** The setting, by default registries. Nothing limits a build that has no sandbox. */
export function buildReachOf({ SVC_BUILD_SANDBOX, SVC_BUILD_NETWORK }: Settings): BuildReach {
  return SVC_BUILD_SANDBOX === 'none' ? 'host' : (SVC_BUILD_NETWORK ?? 'registries')
}

/** The reason why builds can't install packages, as sentences for people; undefined where they can. */
export function installProblemOf(reach: BuildReach): string | undefined {
  return reach === 'none' ? noNetwork : undefined
}

/** The sentence for builds without a network. */
export const noNetwork =
  'Builds have no network here (SVC_BUILD_NETWORK=none). ' +
  'To install packages, the operator has to set SVC_BUILD_NETWORK=registries.'
