/** Starts processes without a sandbox, as this process's user. */
import { type KernelLimits, limitingCommand } from './limits.ts'
import { signalIfThere, terminateCommand } from './signals.ts'
import { type Launched, type PassedSocket, spawnAlone, withSocket } from './spawn-sandbox.ts'

/** `outside` is the command that starts the shell, `before` a command that this begins with. */
type Plain = {
  command: string
  directory: string
  env: Record<string, string>
  limits: KernelLimits
  outside: string[]
  before: string
  /** Whether a control group limits memory; else it is limited per process. */
  inGroup: boolean
  socket?: PassedSocket | undefined
}

/** How long to wait for the end of the output, which an unreachable process may hold open. */
const leftOutputMs = 500

/** Starts a command in a directory of the host. */
export async function spawnPlain(plain: Plain): Promise<Launched> {
  const { command, directory, env, limits, outside, before, inGroup, socket } = plain
  const limiting =
    process.platform === 'linux' ? limitingCommand(limits, { perUser: false, perProcess: !inGroup }) : []
  const script = `${before}; cd "$1" || exit; exec /bin/sh -c "$0"`
  const child = await spawnAlone([...outside, ...limiting, '/bin/sh', '-c', script, command, directory], {
    cwd: '/',
    env,
    stdio: withSocket(['ignore', 'pipe', 'pipe'], socket),
  })
  const kill = () => {
    if (child.pid !== undefined) signalIfThere(-child.pid, 'SIGKILL')
  }
  // Background processes it left; those in another process group are out of reach.
  child.once('exit', () => {
    kill()
    setTimeout(() => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    }, leftOutputMs).unref()
  })
  const terminate = async () => {
    if (child.pid !== undefined) await terminateCommand(child.pid, process.pid)
  }
  return {
    child,
    begun: Promise.resolve(),
    listeners: Promise.resolve(undefined),
    terminate,
    kill,
    hasStarted: () => child.pid !== undefined,
    firstPid: () => child.pid,
  }
}
