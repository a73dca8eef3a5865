/** The manifests by which sources are recognized. */
import { isRecord } from '../is-record.ts'
import { parseJsonText } from '../json-text.ts'

/** The largest manifest, or configuration of a framework, in bytes. */
export const maxManifestBytes = 1024 * 1024

/** A manifest that can't be read: nobody knows then whether the files are a site or its sources. */
export class ManifestProblem extends Error {
  constructor(path: string, problem: string) {
    super(`${path} ${problem}. It says what the files are: correct or remove it.`)
  }
}

/** @throws ManifestProblem for a file of more bytes than a manifest may have. */
export function requireManifestSize(path: string, bytes: number): void {
  if (bytes > maxManifestBytes) throw new ManifestProblem(path, `has more than ${maxManifestBytes} bytes`)
}

/** The fields of a manifest that is JSON. @throws ManifestProblem that names it. */
export function parseManifest(path: string, text: string): Record<string, unknown> {
  const value = parse(path, text)
  if (isRecord(value)) return value
  throw new ManifestProblem(path, 'must be a JSON object')
}

function parse(path: string, text: string): unknown {
  try {
    return parseJsonText(text)
  } catch (error) {
    throw new ManifestProblem(path, `is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
