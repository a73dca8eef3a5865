/** Explains failures of builds that run a program which is not there. */
import { managerNamed } from '../../lib/frameworks/manager-table.ts'
import type { BuildNetwork } from '../sandbox/registries/network.ts'

export type MissingProgram = {
  /** Takes a line of the build's output. */
  look(line: string): void
  /** Who installs the program, and where; undefined where none was missing. */
  sentence(): string | undefined
}

/** The network of the build, and whether it has a command that installs. */
type Around = { network: BuildNetwork; installs: boolean }

/** The lines of shells: `/bin/sh: 1: pnpm: not found`, `sh: line 1: vite: command not found`. */
const notFound = /(?:^|[\s/])(?:ba|da|z)?sh: (?:(?:line )?\d+: )?([\w@.+/-]{1,100}): (?:command )?not found$/

/** Watches the output of a command of a build. */
export function createMissingProgram({ network, installs }: Around): MissingProgram {
  let program: string | undefined

  function sentence(): string | undefined {
    if (program === undefined) return undefined
    const manager = managerNamed(program)
    if (manager !== undefined && network === 'none') {
      return (
        `${manager} is not installed on the node that builds, and without a network it can't be fetched: ` +
        `the operator of the node installs it, or sets SVC_BUILD_NETWORK=registries.`
      )
    }
    if (manager !== undefined) {
      return (
        `${manager} is not installed on the node that builds: name it as packageManager in package.json, ` +
        'commit its lock file, or have the operator of the node install it.'
      )
    }
    return installs
      ? `${program} is neither among the packages that were installed nor on the node that builds: ` +
          "add it to the project's dependencies, or have the operator of the node install it."
      : `${program} is not on the node that builds, and nothing was installed before: ` +
          'set an install command, such as `npm ci`, or have the operator of the node install it.'
  }

  return {
    look(line) {
      program = notFound.exec(line)?.[1] ?? program
    },
    sentence,
  }
}
