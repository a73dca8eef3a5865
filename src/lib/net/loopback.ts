/** Whether the server at `url` is this machine itself: `localhost` or a loopback address. */
export function isLoopback(url: string): boolean {
  return /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(new URL(url).hostname)
}

/** Whether passwords and keys travel to `url` unencrypted, over a network. */
export function isExposed(url: string): boolean {
  return new URL(url).protocol === 'http:' && !isLoopback(url)
}
