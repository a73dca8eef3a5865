/** Valid slugs of teams. */
import { invalidField } from '../../lib/errors.ts'
import { isReservedLabel, isReservedPath } from '../../lib/names/reserved-labels.ts'

/** A DNS label (RFC 1123, section 2.1), which no id is, since those have a `_`; no `xn--` and the like. */
const pattern = /^(?!..--)[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/

/** @throws AppError `invalid_input` for an invalid or reserved slug. */
export function checkSlug(slug: string): void {
  if (!pattern.test(slug)) {
    throw invalidField(
      'team',
      'must be a DNS label of at most 40 characters: a-z, 0-9 and - inside, not xn--',
    )
  }
  if (isReservedLabel(slug) || isReservedPath(slug))
    throw invalidField('team', `${slug} is reserved; choose another slug`)
}
