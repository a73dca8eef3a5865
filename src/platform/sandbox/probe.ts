/** Checks whether builds and servers can run on this host, before the first one. */
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { unreserved } from '../../stores/data-dir/disk-reserve.ts'
import { limitsFrom } from './limits.ts'
import { buildFilter } from './refused-calls.ts'
import type { BuildNetwork } from './registries/network.ts'
import { runSandboxed } from './run-sandboxed.ts'
import type { NodeRuntime } from './runtime-of.ts'
import { systemPath } from './toolchain.ts'
import type { Uids } from './uids.ts'
import { makeWorkspace, removeWorkspace, type Workspace } from './workspace.ts'

const programs = ['bwrap', 'setpriv', 'prlimit', 'chrt', 'nice', 'ionice', 'du']

const notHere =
  "can't run in a sandbox on this host; see its log. bubblewrap needs root or user namespaces " +
  '(sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns; in a container, ' +
  'a seccomp profile that lets it mount).'

const mebibyte = 1024 * 1024

/**
 * Why builds and why servers can't run, for anybody; `detail` may contain paths of the host, so it is for the
 * operator only.
 */
export type SandboxProblem = { builds: string; servers: string; detail?: string }

function problemOf(says: string): SandboxProblem {
  const trusted = 'If all builders are trusted, set SVC_BUILD_SANDBOX=none.'
  return { builds: `Builds ${says} ${trusted}`, servers: `Servers ${says}` }
}

/**
 * Runs an empty command in a sandbox, in a workspace below `root`. Resolves to the problem and its remedy;
 * undefined if it works.
 */
export async function probeSandbox(
  { root, network, uids, node }: { root: string; network: BuildNetwork; uids: Uids; node: NodeRuntime },
  path = systemPath,
): Promise<SandboxProblem | undefined> {
  if (!buildFilter(process.arch, { counted: true })) {
    return problemOf('need an x86-64 or arm64 processor in their sandbox.')
  }
  for (const program of programs) {
    if (!(await isOnPath(program, path))) {
      return problemOf(
        `need ${program}, which is not in ${path}: install bubblewrap, util-linux and coreutils.`,
      )
    }
  }
  let workspace: Workspace | undefined
  try {
    workspace = await makeWorkspace(root, uids)
    const ended = await runSandboxed({
      isolation: 'bubblewrap',
      workspace,
      command: 'test -w . && node --version',
      directory: '',
      env: {},
      limits: limitsFrom({ timeoutS: 60, memoryBytes: 512 * mebibyte, diskBytes: 64 * mebibyte }),
      network,
      node,
      redactor: { redact: (text) => text, longest: 0 },
      signal: new AbortController().signal,
      // What it finds is not for the moment alone.
      disk: unreserved,
      nowMs: Date.now,
      onLine: () => {},
    })
    if (ended.how === 'exited' && ended.code === 0) return undefined
    return { ...problemOf(notHere), detail: JSON.stringify(ended) }
  } catch (error) {
    return { ...problemOf(notHere), detail: String(error) }
  } finally {
    if (workspace) await removeWorkspace(workspace)
  }
}

async function isOnPath(program: string, path: string): Promise<boolean> {
  const looks = path.split(':').map((directory) => access(join(directory, program), constants.X_OK))
  return (await Promise.allSettled(looks)).some(({ status }) => status === 'fulfilled')
}
