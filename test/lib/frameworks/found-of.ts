/** The files of a table, as sources are recognized among them. */
import { atOnce } from '../../../src/lib/async/in-turns.ts'
import { type Found, foundIn } from '../../../src/lib/frameworks/found.ts'

/** Files by their paths; what is no text is JSON. */
export type Files = Record<string, string | object>

/** The files with the sources in `folder`. */
export function foundOf(files: Files, folder = ''): Found {
  const list = Object.entries(files).map(([path, content]) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    return { path, text, size: text.length }
  })
  return atOnce(foundIn(list, async ({ text }) => text, folder))
}
