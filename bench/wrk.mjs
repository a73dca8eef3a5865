/** The load: wrk, for some seconds, against one address. */
import { loadCores, readAll, start } from './children.mjs'

export const usualConnections = 32

/**
 * Asks for `url` again and again, or for what a script in Lua says; returns how many answers came a second,
 * and how many in all.
 * @param {{ name: string, url: string, headers: Record<string, string>, script?: string,
 *   wrkCores?: string, connections?: number }} request
 * @param {number} seconds
 * @throws when an answer isn't 200 or a connection fails.
 */
export async function load(request, seconds) {
  const { name, url, headers, script, wrkCores = loadCores, connections = usualConnections } = request
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const wrk = [
    'wrk',
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    `${seconds}s`,
    ...fields,
    ...(script ? ['-s', script] : []),
    url,
  ]
  const text = await readAll(start(wrkCores, wrk))
  const problem = /Non-2xx or 3xx responses: .*|Socket errors: .*/.exec(text)
  if (problem) throw new Error(`Not every request to ${name} was answered. ${problem[0]}`)
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1])
  const count = Number(/(\d+) requests in/.exec(text)?.[1])
  if (!(rate > 0 && count > 0)) throw new Error(`wrk wrote something else than expected:\n${text}`)
  return { rate, count }
}
