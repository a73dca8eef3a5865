/** The version of this program. */
import { readFileSync } from 'node:fs'

const packageFile = new URL('../package.json', import.meta.url)

/** The version in the package file. Read without a schema, which costs the command more than all the rest of its start. */
function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile, 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) {
    return String(manifest.version)
  }
  throw new TypeError('package.json has no version.')
}

export const version = readVersion()
