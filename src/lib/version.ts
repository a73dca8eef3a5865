/** The version of this program. */
import { readFileSync } from 'node:fs'
import { isRecord } from './is-record.ts'

const packageFile = new URL('../../package.json', import.meta.url)

/**
 * The version in package.json. Parsed without a schema, which would dominate the start-up time of commands.
 */
function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile, 'utf8'))
  if (isRecord(manifest) && 'version' in manifest) return String(manifest.version)
  throw new TypeError('package.json has no version.')
}

export const version = readVersion()
