/** What a file is, as far as its name tells: which `Content-Type` it gets, and whether it is worth compressing. */
import mime from 'mime'

/** Types without `text/` that are text all the same. */
const textual =
  /^text\/|[/+](?:json|xml)$|^application\/(?:javascript|manifest\+json|ecmascript|sql|toml|yaml|x-sh)$/

/** Types that aren't text, of formats that leave compressing to others. */
const loose =
  /^font\/(?:ttf|otf|collection)$|^application\/(?:wasm|node|rtf|postscript|vnd\.ms-fontobject)$|^image\/(?:bmp|x-icon|vnd\.microsoft\.icon)$/

/** The type that goes with the extension of the last segment of `path`, if it has one that is known. */
export function knownType(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? undefined : (mime.getType(name.slice(dot + 1)) ?? undefined)
}

/** The value of `Content-Type` for the file at `path`; texts are UTF-8. */
export function contentType(path: string): string {
  const type = knownType(path) ?? 'application/octet-stream'
  return textual.test(type) ? `${type}; charset=utf-8` : type
}

/** Whether files like the one at `path` get smaller by compressing: texts, and what isn't compressed in itself. */
export function isCompressible(path: string): boolean {
  const type = knownType(path)
  return type !== undefined && (textual.test(type) || loose.test(type))
}
