/** Where a visitor goes on after being let in: a path of the same host, whatever anybody wrote. */
import { maxReturnLength } from '../../../platform/visitors/paths.ts'
import { withoutSecrets } from '../protection.ts'
import { formatTarget, parseTarget, type Target } from '../wire/target.ts'
import { isReserved } from './reserved.ts'

/** A request's path and query, without secrets; `/` for one that is too long, or no place to return to. */
export function returnPathOf(target: Target): string {
  const path = `${formatTarget(target)}${withoutSecrets(target.query)}`
  return isReserved(target) || encodeURIComponent(toAscii(path)).length > maxReturnLength
    ? '/'
    : toAscii(path)
}

/**
 * The path in a text from elsewhere, as a `Location`; `/` for anything that is none, or that browsers could
 * take for another host's.
 */
export function safeReturnPath(text: string): string {
  const target = text.length > maxReturnLength ? undefined : parseTarget(text)
  return target ? returnPathOf(target) : '/'
}

/** Bytes beyond ASCII in a query, which node:http decodes as Latin-1. */
function toAscii(path: string): string {
  return path.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}
