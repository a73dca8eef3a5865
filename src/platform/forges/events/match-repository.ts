/** Whether an event is of the repository that a project is connected to. */
import { parseUrl } from '../../../lib/names/parse-url.ts'
import { repositoryPath } from '../../../lib/names/repository-path.ts'
import type { ForgeRepository } from './event.ts'

/**
 * The address that somebody configured, or to which the repository has moved since; the forge's id of it,
 * which stays, once an event said that; and the addresses that it had before.
 */
export type Configured = { url: string; repositoryId: string | null; formerUrls: readonly string[] }

/** With the address that it has by now; else why not, in a sentence for an owner. */
export type Match = { ok: true; url: string } | { ok: false; why: string }

/**
 * By id where that is known, since a name can be given to another repository; else by the host and path of
 * one of its addresses. As for the forges, case, a `.git` and a slash at the end make no difference there.
 *
 * A repository that was renamed or transferred is followed on its own host alone, which has the token
 * already. It never goes back to a former address, whose name may be another's by now: an event that was
 * held back, or is sent again, says it still.
 */
export function matchRepository(named: ForgeRepository, known: Configured): Match {
  const { url, repositoryId, formerUrls } = known
  const isHere = leadsTo(named, url)
  if (repositoryId !== null && named.id !== repositoryId)
    return refuse(isHere ? anotherAt(url) : otherThan(url))
  if (isHere) return { ok: true, url }
  if (repositoryId === null) return refuse(otherThan(url))
  if (formerUrls.some((former) => leadsTo(named, former))) return { ok: true, url }
  const { host } = new URL(url)
  const moved = named.urls
    .flatMap((each) => addressOf(each) ?? [])
    .find((each) => new URL(each).host === host)
  return moved === undefined
    ? refuse(`The repository has moved to another host than ${host}: connect the project to it again.`)
    : { ok: true, url: moved }
}

function refuse(why: string): Match {
  return { ok: false, why }
}

function otherThan(url: string): string {
  return `This is about another repository than ${url}, which the project deploys.`
}

function anotherAt(url: string): string {
  return (
    `There is another repository at ${url} than the one that the project deploys. If it is meant, ` +
    `connect the project to it: svc git connect ${url} --new-secret`
  )
}

function leadsTo({ urls }: ForgeRepository, url: string): boolean {
  const place = placeOf(url)
  return place !== undefined && urls.some((each) => placeOf(each) === place)
}

function placeOf(text: string): string | undefined {
  const address = addressOf(text)
  return address && new URL(address).href.toLowerCase()
}

/** In the form in which addresses of repositories are stored; undefined for any other text. */
function addressOf(text: string): string | undefined {
  const url = parseUrl(text)
  if (url?.protocol !== 'https:') return undefined
  const path = repositoryPath(url)
  return path === '' ? undefined : `${url.origin}${path}`
}
