/** Whether the server at `url` is this machine itself: `localhost` or a loopback address. */
export function isLoopback(url: string): boolean {
  return /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(new URL(url).hostname)
}
