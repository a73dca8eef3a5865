/** Explains servers that don't start since a native module of theirs was built for another system. */
import type { DeploymentServer } from '../../stores/db/schema/projects.ts'

export type ForeignModule = {
  /** Takes a line of the server's output. */
  look(line: string): void
  /** The sentence that says what to do; undefined where nothing was about such a module. */
  sentence(server: Pick<DeploymentServer, 'platform' | 'node'>): string | undefined
}

/** Messages of the dynamic linker, of Node, and of packages that choose their module by the system. */
const messages = new RegExp(
  [
    /invalid ELF header|wrong ELF class|Exec format error/,
    /version [`'‘]GLIBC(?:XX)?_[\d.]+['’] not found/,
    /libc\.musl-\w+\.so\.1: cannot open shared object/,
    /ERR_DLOPEN_FAILED|compiled against a different Node\.js version/,
    /Could not load the "sharp" module using the linux-\w+ runtime/,
    /Cannot find (?:module|package) '@[\w./-]+-linux-\w+(?:-gnu)?'/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** Watches the lines of a server that is tried. */
export function createForeignModule(): ForeignModule {
  let isForeign = false
  return {
    look(line) {
      isForeign ||= messages.test(line)
    },
    sentence({ platform, node }) {
      if (!isForeign) return undefined
      return (
        `A native module of it is for another system than this one (${platform}, Node.js ${node}): ` +
        'build it on such a one, or have the platform install the packages.'
      )
    },
  }
}
