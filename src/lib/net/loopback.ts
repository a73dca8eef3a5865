/** Whether the server at `url` is this machine itself: `localhost` or a loopback address. */
export function isLoopback(url: string): boolean {
  return /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(new URL(url).hostname)
}

/** Whether passwords and keys travel to `url` unencrypted, over a network. */
export function isExposed(url: string): boolean {
  return new URL(url).protocol === 'http:' && !isLoopback(url)
}

/** The warning about records that lead to a loopback address; undefined where none does. */
export function loopbackWarning(records: readonly { value: string }[]): string | undefined {
  const found = records.find(({ value }) => /^127(\.\d+){3}$|^::1$/.test(value))
  return (
    found &&
    `${found.value} is the machine itself: nobody else reaches a site there. ` +
      'The operator sets SVC_EDGE_ADDRESSES to the addresses of this server.'
  )
}
