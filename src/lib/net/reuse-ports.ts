/**
 * Whether several processes may listen on a port by themselves, so that the system shares connections out
 * among them.
 */

/** The first of each line of Node's versions that knows the option `reusePort` of `listen`. */
const firstVersions = [
  [22, 12],
  [23, 1],
] as const

/** Only on Linux the system shares them out evenly (SO_REUSEPORT, socket(7)). */
export function canReusePorts(version = process.versions.node, platform = process.platform): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const since = firstVersions.find(([of]) => of === major)
  return platform === 'linux' && (since ? minor >= since[1] : major > 23)
}
