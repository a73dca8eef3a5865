/** Reads the file `.env` of a node, which decides what it does. */
import { lstatSync } from 'node:fs'
import { resolve } from 'node:path'
import { SettingsError } from '../../lib/settings/error.ts'
import { readBounded } from './read-bounded.ts'
import { distrustOf } from './trusted-owner.ts'

const maxBytes = 1024 * 1024

/**
 * The text of `.env` in `directory`, which may be a link; undefined if there is none.
 * @throws SettingsError for what is no regular file, or too large, and for one that another user could have
 * written.
 */
export function readEnvironmentFile(directory: string): string | undefined {
  const path = resolve(directory, '.env')
  const found = readBounded(path, { maxBytes, links: 'followed' })
  if (!found) return undefined
  if ('problem' in found) {
    throw new SettingsError(`${path} ${found.problem}. It has to be a file of at most ${maxBytes} bytes.`)
  }
  const link = lstatSync(path, { throwIfNoEntry: false })
  // Whoever owns a link chooses the file; its mode says nothing.
  const distrust = distrustOf(path, found.stat) ?? (link && distrustOf(path, { uid: link.uid, mode: 0 }))
  if (distrust !== undefined) throw new SettingsError(distrust)
  return found.bytes.toString('utf8')
}
