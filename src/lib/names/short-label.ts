/** Labels that are chosen by people and become parts of host names. */

const inside = '[a-z0-9-]'
const end = '[a-z0-9]'

/**
 * A DNS label (RFC 1123, section 2.1) of at most 40 characters, with room for suffixes, which are not `--` in
 * the third and fourth place as in `xn--`. Written without lookahead, as it is published: the first
 * alternative is for labels of up to four characters.
 */
export const shortLabel = new RegExp(
  `^${end}(${inside}{0,2}${end}|${inside}(${inside}${end}|${end}-)${inside}{0,35}${end})?$`,
)

/** The problem with others, to follow the field. */
export const shortLabelRule = 'must be a DNS label of at most 40 characters: a-z, 0-9 and - inside, not xn--'
