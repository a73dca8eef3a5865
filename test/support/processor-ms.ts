/**
 * The processor time of `work` in ms: unlike the clock's, it does not grow when other programs keep the
 * machine busy.
 */
export function processorMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
