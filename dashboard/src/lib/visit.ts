/** Opens sites, which anybody may have made. */

/** Opens the site at `url` in a tab of its own, which can't reach the one of this page. */
export function visit(url: string): void {
  window.open(url, '_blank', 'noopener')
}
