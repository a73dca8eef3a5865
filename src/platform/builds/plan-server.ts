/** Decides, after the commands of a build, whether a deployment has a server, and how that starts. */
import { developmentAdvice, type FoundServer } from '../../lib/frameworks/find-server.ts'
import type { FoundOutput, ServerOutput } from '../../lib/frameworks/server-output.ts'

/** The facts that decide it. */
export type ServerFacts = {
  /** The command that a setting says. */
  start: string | undefined
  /** Whether the project's last ready deployment was a static site. */
  wasStatic: boolean
  hasProcfile: boolean
  /** By the line `web:` of the Procfile. */
  byProcfile: FoundServer | undefined
  /** By what the framework has built. */
  byOutput: FoundOutput | undefined
  /** Whether the table of frameworks knows what the sources are made with. */
  isKnown: boolean
  /** By the package. */
  byPackage: FoundServer | undefined
  /** The contents of the output directory. */
  output: 'nothing' | 'files' | 'page'
}

/** `output` is what the framework has built, if that is what starts, or belongs to it. */
export type PlannedServer = { kind: 'server'; command: string; sign: string; output?: ServerOutput }

/**
 * `remark` is a sentence for the log, `advice` one for an output without files, which is then missing.
 * `message` is a sentence for whoever deploys.
 */
export type ServerPlan =
  | { kind: 'static'; remark?: string; advice?: string }
  | PlannedServer
  | { kind: 'error'; message: string }

/**
 * The server that a setting names. Without one a project goes on with static sites once it has had one; else
 * it is what the Procfile says, what the output of a framework does, and where nothing is known of the
 * sources and the build made no page, what the package starts.
 */
export function planServer(facts: ServerFacts): ServerPlan {
  const { start, wasStatic, byOutput, output } = facts
  if (start !== undefined) return serverOf(start, 'start is set', byOutput)
  const found = foundIn(facts)
  if (found === undefined) {
    if (byOutput && 'missing' in byOutput && output === 'nothing')
      return { kind: 'error', message: `${byOutput.missing}.` }
    return { kind: 'static', advice: adviceFor(facts) }
  }
  const { command, sign, development } = found
  if (wasStatic) {
    const advice = byOutput ? `If it is a server, set start, such as to \`${command}\`.` : setStart
    const remark = `${sign}, but the last deployment was a static site, and so is this one. ${advice}`
    return { kind: 'static', remark, advice: remark }
  }
  if (development !== undefined) return { kind: 'error', message: `${developmentAdvice(found)}.` }
  return serverOf(command, sign, byOutput)
}

const setStart = 'If it is a server, set start to its command.'

/** The server that a command starts: with all files, unless the framework says what its own one needs. */
function serverOf(command: string, sign: string, byOutput: FoundOutput | undefined): PlannedServer {
  if (!byOutput || 'missing' in byOutput) return { kind: 'server', command, sign }
  const isOwn = command === byOutput.command
  return { kind: 'server', command, sign, output: isOwn ? byOutput : { ...byOutput, kept: undefined } }
}

function foundIn(facts: ServerFacts): FoundServer | undefined {
  const { byProcfile, byOutput, byPackage, isKnown, output } = facts
  // What builds as a static site never becomes an error by a server that only its developers start.
  const isFor = ({ development }: FoundServer) =>
    development === undefined || (output === 'nothing' && !isKnown)
  if (byProcfile && isFor(byProcfile)) return byProcfile
  if (byOutput && 'command' in byOutput) {
    const { framework, command } = byOutput
    return { library: framework, sign: `${framework} has built it`, command, development: undefined }
  }
  if (isKnown || output === 'page' || !byPackage || !isFor(byPackage)) return undefined
  return byPackage
}

function adviceFor({ hasProcfile, byProcfile }: ServerFacts): string {
  if (hasProcfile && !byProcfile) return 'The Procfile has no line "web:" with the command of a server.'
  return setStart
}
