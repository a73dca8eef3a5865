/** Addresses of repositories. */
import { invalidField } from '../../lib/errors.ts'
import { parseUrl } from '../../lib/names/parse-url.ts'
import { repositoryPath } from '../../lib/names/repository-path.ts'

/** Characters that `URL` would silently drop or escape. */
const unclean = /[\p{Cc}\s\\]/u

/**
 * The address of a repository in the form in which it is stored: https, without `.git` and slashes at its
 * end. Whether its host may be reached is decided for each fetch.
 * @throws AppError `invalid_input`.
 */
export function repositoryUrl(text: string): string {
  const url = unclean.test(text) ? undefined : parseUrl(text)
  if (url?.protocol !== 'https:' || !/^https:\/\/[^/]/i.test(text))
    throw wrong('must be an https address such as https://github.com/acme/web')
  if (url.username !== '' || url.password !== '')
    throw wrong('must not contain a user or password: set git.token')
  if (text.includes('?') || text.includes('#')) throw wrong('must not have a query or fragment')
  const path = repositoryPath(url)
  if (!/^(\/[^/]+){2,}$/.test(path))
    throw wrong('must lead to a repository, as https://github.com/acme/web does')
  return `${url.origin}${path}`
}

function wrong(problem: string) {
  return invalidField('git.url', problem)
}
