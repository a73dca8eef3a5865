/** Starts the processes of a build, in a sandbox or, if all builders are trusted, without one. */
import { join } from 'node:path'
import { inMemory, type Profile } from './bubblewrap.ts'
import { type Limits, yieldingCommand } from './limits.ts'
import { enterCommand, type MemoryGroup } from './memory-group.ts'
import { proxyInside, startForwarder } from './registries/forwarder.ts'
import type { BuildNetwork } from './registries/network.ts'
import type { NodeRuntime } from './runtime-of.ts'
import { spawnPlain } from './spawn-plain.ts'
import { type Launched, spawnSandbox } from './spawn-sandbox.ts'
import { buildEnv, inside, sharedMemory, startScript, yieldAsGroup } from './start-script.ts'
import { plainPath, readToolchain, type Toolchain } from './toolchain.ts'
import { withoutRetries } from './without-retries.ts'
import { proxySocket, type Workspace } from './workspace.ts'

/** `none` means no isolation: builds run as this process's user with all its access. */
export type Isolation = 'bubblewrap' | 'none'

/** `directory` is the command's working directory, relative to the workspace's files. */
export type Launch = {
  isolation: Isolation
  workspace: Workspace
  command: string
  directory: string
  env: Record<string, string>
  limits: Limits
  network: BuildNetwork
  node: NodeRuntime
}

/** Starts the command; its processes are in the control group, if any. */
export async function launch(input: Launch, group: MemoryGroup | undefined): Promise<Launched> {
  const start = input.isolation === 'none' ? launchPlain : launchSandboxed
  return start(input, group)
}

async function launchPlain(input: Launch, group: MemoryGroup | undefined): Promise<Launched> {
  const { workspace, limits, node } = input
  const env = buildEnv(input.env, { path: plainPath(node.path), home: workspace.home })
  return spawnPlain({
    command: input.command,
    directory: join(workspace.files, input.directory),
    env: { TMPDIR: workspace.temporary, ...env },
    limits: { ...limits, reservedBytes: node.reservedBytes },
    outside: [...enterCommand(group), ...(process.platform === 'linux' ? yieldingCommand(limits) : [])],
    before: yieldAsGroup(limits.niceness),
    inGroup: group !== undefined,
  })
}

async function launchSandboxed(input: Launch, group: MemoryGroup | undefined): Promise<Launched> {
  const { limits, network, command, directory, node } = input
  const toolchain = await readToolchain(node.path)
  const given = network === 'none' ? { ...withoutRetries, ...input.env } : input.env
  const env = buildEnv(given, { path: toolchain.path, home: inside.home })
  const forwarding = typeof network === 'object' ? startForwarder(toolchain.path) : []
  const before = [yieldAsGroup(limits.niceness), ...forwarding]
  const script = startScript({ command, directory: join(inside.files, directory), env, before })
  return spawnSandbox({
    profile: { ...profileOf(input, toolchain), files: { [inside.start]: script } },
    start: inside.start,
    limits: { ...limits, reservedBytes: node.reservedBytes },
    outside: [...enterCommand(group), ...yieldingCommand(limits)],
    inGroup: group !== undefined,
  })
}

function profileOf({ workspace, network }: Launch, toolchain: Toolchain): Omit<Profile, 'files'> {
  return {
    name: 'build',
    owner: workspace.owner,
    network: network === 'host' ? 'host' : 'own',
    toolchain,
    home: inside.home,
    mounts: [
      ...inMemory(sharedMemory),
      ...['--dir', '/build', '--bind', workspace.files, inside.files, '--bind', workspace.home, inside.home],
      ...(typeof network === 'object' ? ['--bind', proxySocket(workspace), proxyInside] : []),
      ...['--bind', workspace.temporary, '/tmp', '--dir', '/var', '--symlink', '/tmp', '/var/tmp'],
    ],
  }
}
