/** Decides, after the commands of a build, whether a deployment has a server, and how that starts. */
import { developmentAdvice, type FoundServer } from '../../lib/frameworks/find-server.ts'

/** The facts that decide it. */
export type ServerFacts = {
  /** The command that a setting says. */
  start: string | undefined
  /** Whether the project's last ready deployment was a static site. */
  wasStatic: boolean
  hasProcfile: boolean
  /** By the line `web:` of the Procfile. */
  byProcfile: FoundServer | undefined
  /** Whether the table of frameworks knows what the sources are made with. */
  isKnown: boolean
  /** By the package. */
  byPackage: FoundServer | undefined
  /** The contents of the output directory. */
  output: 'nothing' | 'files' | 'page'
}

/**
 * `remark` is a sentence for the log, `advice` one for an output without files, which is then missing.
 * `message` is a sentence for whoever deploys.
 */
export type ServerPlan =
  | { kind: 'static'; remark?: string; advice?: string }
  | { kind: 'server'; command: string; sign: string }
  | { kind: 'error'; message: string }

/**
 * The server that a setting names. Without one a project goes on with static sites once it has had one; else
 * it is what the Procfile says, what the output of a framework does, and where nothing is known of the
 * sources and the build made no page, what the package starts.
 */
export function planServer(facts: ServerFacts): ServerPlan {
  const { start, wasStatic } = facts
  if (start !== undefined) return { kind: 'server', command: start, sign: 'start is set' }
  const found = foundIn(facts)
  if (found === undefined) return { kind: 'static', advice: adviceFor(facts) }
  const { command, sign, development } = found
  if (wasStatic) {
    const remark = `${sign}, but the last deployment was a static site, and so is this one. ${advice}`
    return { kind: 'static', remark }
  }
  if (development !== undefined) return { kind: 'error', message: `${developmentAdvice(found)}.` }
  return { kind: 'server', command, sign }
}

const advice = 'If it is a server, set start to its command.'

function foundIn(facts: ServerFacts): FoundServer | undefined {
  const { byProcfile, byPackage, isKnown, output } = facts
  // What builds as a static site never becomes an error by a server that only its developers start.
  const isFor = ({ development }: FoundServer) =>
    development === undefined || (output === 'nothing' && !isKnown)
  if (byProcfile && isFor(byProcfile)) return byProcfile
  if (isKnown || output === 'page' || !byPackage || !isFor(byPackage)) return undefined
  return byPackage
}

function adviceFor({ hasProcfile, byProcfile }: ServerFacts): string {
  if (hasProcfile && !byProcfile) return 'The Procfile has no line "web:" with the command of a server.'
  return advice
}
