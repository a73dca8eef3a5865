/** Whether builds can be run on this host, asked before the first one. */
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { makeWorkspace, removeWorkspace } from '../workspace.ts'
import type { BuildNetwork } from './bubblewrap.ts'
import { limitsFrom } from './limits.ts'
import { runSandboxed } from './run-sandboxed.ts'
import { systemPath } from './toolchain.ts'

const programs = ['bwrap', 'setpriv', 'prlimit', 'chrt', 'nice', 'ionice', 'du']

const mebibyte = 1024 * 1024

/**
 * Runs a command that does nothing in a sandbox, in a workspace below `root`. A sentence on why that doesn't work and what
 * to do; undefined where it does.
 */
export async function probeSandbox(
  root: string,
  network: BuildNetwork,
  path = systemPath,
): Promise<string | undefined> {
  for (const program of programs) {
    if (!(await isOnPath(program, path))) {
      return `Builds need ${program}, which is not in ${path}: install bubblewrap, util-linux and coreutils, or, where all builders are trusted, set SVC_BUILD_SANDBOX=none.`
    }
  }
  const workspace = await makeWorkspace(root, { sandboxed: true })
  try {
    const ended = await runSandboxed({
      isolation: 'bubblewrap',
      workspace,
      command: 'test -w . && node --version',
      directory: '',
      env: {},
      limits: limitsFrom({ timeoutS: 60, memoryBytes: 512 * mebibyte, diskBytes: 64 * mebibyte }),
      network,
      redactor: { redact: (text) => text, longest: 0 },
      signal: new AbortController().signal,
      nowMs: Date.now,
      onLine: () => {},
    })
    if (ended.how === 'exited' && ended.code === 0) return undefined
    return explain(JSON.stringify(ended))
  } catch (error) {
    return explain(error instanceof Error ? error.message : 'unknown')
  } finally {
    await removeWorkspace(workspace)
  }
}

function explain(what: string): string {
  return `Builds can't be run in a sandbox on this host (${what}). bubblewrap needs root or user namespaces (sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns; in a container, a seccomp profile that lets it mount). Where all builders are trusted, set SVC_BUILD_SANDBOX=none.`
}

async function isOnPath(program: string, path: string): Promise<boolean> {
  const looks = path.split(':').map((directory) => access(join(directory, program), constants.X_OK))
  return (await Promise.allSettled(looks)).some(({ status }) => status === 'fulfilled')
}
