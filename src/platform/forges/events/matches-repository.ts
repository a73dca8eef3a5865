/** Whether an event is of the repository that somebody configured. */

import { parseUrl } from '../../../lib/names/parse-url.ts'
import { repositoryPath } from '../../../lib/names/repository-path.ts'
import type { ForgeRepository } from './event.ts'

/**
 * Whether one of the repository's addresses leads to the host and path of this one. As for the forges, case,
 * a `.git` and a slash at the end make no difference.
 */
export function matchesRepository({ urls }: ForgeRepository, configuredUrl: string): boolean {
  const place = placeOf(configuredUrl)
  return place !== undefined && urls.some((url) => placeOf(url) === place)
}

function placeOf(text: string): string | undefined {
  const url = parseUrl(text)
  if (url?.protocol !== 'https:') return undefined
  const path = repositoryPath(url)
  return path === '' ? undefined : `${url.host}${path.toLowerCase()}`
}
