/** Starts of a process with a wrong clock, by Debian's faketime. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The environment of a process whose clock is ahead; its monotonic clock is right.
 * @throws without faketime.
 */
export function clockAhead(hours: number): Record<string, string> {
  return {
    LD_PRELOAD: findLibrary(),
    FAKETIME: `+${hours}h`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
}

function findLibrary(): string {
  const found = readdirSync('/usr/lib')
    .map((architecture) => join('/usr/lib', architecture, 'faketime/libfaketimeMT.so.1'))
    .find((path) => existsSync(path))
  if (!found) throw new Error('libfaketimeMT.so.1 is missing: install faketime.')
  return found
}
