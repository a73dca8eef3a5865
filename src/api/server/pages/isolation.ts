/** Keeps the pages of the API's origin apart from others. */

/**
 * Headers of every page and its files: no window that opened a page, or that it opens, can reach it (HTML,
 * section 7.1.3), no other site embeds it (Fetch, section 3.6), and its type is what it says.
 */
export const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
