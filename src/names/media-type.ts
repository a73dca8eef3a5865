/** Media types by file name, and whether to compress them. */
import mime from 'mime'

/** Text types outside `text/`. */
const textual =
  /^text\/|[/+](?:json|xml)$|^application\/(?:javascript|manifest\+json|ecmascript|sql|toml|yaml|x-sh)$/

/** Other compressible types. */
const loose =
  /^font\/(?:ttf|otf|collection)$|^application\/(?:wasm|node|rtf|postscript|vnd\.ms-fontobject)$|^image\/(?:bmp|x-icon|vnd\.microsoft\.icon)$/

/** The type for the extension of the last segment of `path`, if known. */
export function knownType(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? undefined : (mime.getType(name.slice(dot + 1)) ?? undefined)
}

/** The `Content-Type` of the file at `path`; text is UTF-8. */
export function contentType(path: string): string {
  const type = knownType(path) ?? 'application/octet-stream'
  return textual.test(type) ? `${type}; charset=utf-8` : type
}

/** Whether the file at `path` is worth compressing: text, and formats without compression. */
export function isCompressible(path: string): boolean {
  const type = knownType(path)
  return type !== undefined && (textual.test(type) || loose.test(type))
}
