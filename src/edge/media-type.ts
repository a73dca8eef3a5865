/** Which `Content-Type` a file gets: by its name, since nothing else is known about it. */
import mime from 'mime'

/** Types without `text/` that are text all the same. */
const textual =
  /^text\/|[/+](?:json|xml)$|^application\/(?:javascript|manifest\+json|ecmascript|sql|toml|yaml|x-sh)$/

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
