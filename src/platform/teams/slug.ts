/** Valid slugs of teams. */
import { invalidField } from '../../lib/errors.ts'
import { isReservedLabel, isReservedPath } from '../../lib/names/reserved-labels.ts'
import { shortLabel, shortLabelRule } from '../../lib/names/short-label.ts'

/**
 * No id is a slug, since those have a `_`.
 * @throws AppError `invalid_input` for an invalid or reserved slug.
 */
export function checkSlug(slug: string): void {
  if (!shortLabel.test(slug)) throw invalidField('team', shortLabelRule)
  if (isReservedLabel(slug) || isReservedPath(slug))
    throw invalidField('team', `${slug} is reserved; choose another slug`)
}
