/** A thread that does nothing else for a while. */
export function busyFor(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}
