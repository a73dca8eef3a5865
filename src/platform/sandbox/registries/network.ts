/** The network of builds. */
import type { Registries } from './proxy.ts'

/** Nothing, what this host can reach, or package registries alone. */
export type BuildNetwork = 'none' | 'host' | Registries
