/** Media types by file name, and whether to compress them. */
import mime from 'mime'
import { takenType } from './taken-types.ts'
import { wellKnownType } from './well-known-types.ts'

/** Text types outside `text/`. */
const textual =
  /^text\/|[/+](?:json|xml)$|^application\/(?:javascript|manifest\+json|ecmascript|sql|toml|yaml|x-sh)$/

/** Other compressible types. */
const loose =
  /^font\/(?:ttf|otf|collection)$|^application\/(?:wasm|rtf|postscript|vnd\.ms-fontobject)$|^image\/(?:bmp|x-icon|vnd\.microsoft\.icon)$/

/** The type for the last segment of `path`: by its extension, or for a well-known name without one. */
export function knownType(path: string): string | undefined {
  const wellKnown = wellKnownType(path)
  if (wellKnown !== undefined) return wellKnown
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  if (dot <= 0) return undefined
  const extension = name.slice(dot + 1)
  return takenType(extension) ?? mime.getType(extension) ?? undefined
}

/** The `Content-Type` of the file at `path`; text is UTF-8. */
export function contentType(path: string): string {
  const type = knownType(path) ?? 'application/octet-stream'
  return textual.test(type) ? `${type}; charset=utf-8` : type
}

/** A file that is compressed by its format, though its type isn't. */
const compressed = /\.svgz$/i

/** Whether the file at `path` is worth compressing: text, and formats without compression. */
export function isCompressible(path: string): boolean {
  if (compressed.test(path)) return false
  const type = knownType(path)
  return type !== undefined && (textual.test(type) || loose.test(type))
}
