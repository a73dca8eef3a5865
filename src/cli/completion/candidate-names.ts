/** Names and ids of a team's things, as candidates for completion. */

import type { Api } from '../connection/connect.ts'
import { connectLinked } from '../connection/connect-linked.ts'
import { pickProject } from '../connection/pick-project.ts'
import { pickTeam } from '../connection/pick-team.ts'
import type { Io } from '../io.ts'

export type Candidate = { name: string; description: string }

/** Nobody waits longer for a completion. */
const timeoutMs = 1500

/** As many as are worth a look: the newest ones, or the first by name. */
const limit = 100

/** The typed words that are arguments already, and the project in `svc.json`. */
type Typed = { api: Api; words: string[]; linked: string | undefined; options: Options }
type Options = { signal: AbortSignal; context: { retry: false } }
type Find = (typed: Typed) => Promise<Candidate[]>

const projects: Find = async ({ api, options }) =>
  (await api.projects.list.query({ limit }, options)).data.map(({ name }) => ({
    name,
    description: 'project',
  }))

const deployments: Find = async ({ api, options }) =>
  (await api.deployments.list.query({ limit }, options)).data.map(({ id, project, target, state, live }) => ({
    name: id,
    description: `${target} of ${project}, ${live ? 'live' : state}`,
  }))

/** By the name of the argument or option. */
const finders: Record<string, Find> = {
  project: projects,
  projects,
  deployment: deployments,
  'project-or-deployment': async (typed) => [...(await projects(typed)), ...(await deployments(typed))],
  'project-or-host': projects,
  domain: async ({ api, options }) =>
    (await api.domains.list.query({ limit }, options)).data.map(({ domain }) => ({
      name: domain,
      description: 'domain',
    })),
  record: async ({ api, words: [domain = ''], options }) =>
    (await api.dns.list.query({ domain, limit }, options)).data.map(({ id, name, type, value }) => ({
      name: id,
      description: `${name} ${type} ${value}`,
    })),
  key: async ({ api, options }) =>
    (await api.tokens.listKeys.query({ limit }, options)).data.map(({ id, name, role }) => ({
      name: id,
      description: `${name}, ${role}`,
    })),
  hook: async ({ api, words: [project = ''], options }) =>
    (await api.hooks.list.query({ project }, options)).data.map(({ id, name, branch }) => ({
      name: id,
      description: branch === null ? name : `${name}, ${branch}`,
    })),
  policy: async ({ api, linked, options }) => {
    const project = linked ?? (await pickProject(api, undefined)).name
    return (await api.trust.list.query({ project }, options)).data.map(({ id, issuer }) => ({
      name: id,
      description: issuer,
    }))
  },
  webhook: async ({ api, options }) =>
    (await api.webhooks.list.query({ limit }, options)).data.map(({ id, url }) => ({
      name: id,
      description: url,
    })),
  delivery: async ({ api, words: [webhook = ''], options }) =>
    (await api.webhooks.get.query({ webhook }, options)).deliveries.map(({ id, status, attempts }) => ({
      name: id,
      description: `${status}, attempt ${attempts}`,
    })),
  team: async ({ api, options }) =>
    (await api.teams.list.query({ limit }, options)).data.map(({ slug, name }) => ({
      name: slug,
      description: name,
    })),
  /** The names of variables. */
  keys: async ({ api, linked }) =>
    (await pickProject(api, linked)).env.map(({ key }) => ({ name: key, description: 'variable' })),
  remove: async ({ api, words: [team] }) =>
    (await pickTeam(api, team)).members.flatMap(({ email, role }) =>
      email === null ? [] : { name: email, description: role },
    ),
}

/**
 * The candidates for an argument or option of this name, after `words`; none if the server can't be reached.
 */
export async function namesFor(io: Io, name: string, words: string[]): Promise<Candidate[]> {
  const find = Object.hasOwn(finders, name) ? finders[name] : undefined
  if (!find) return []
  try {
    const { api, linked } = connectLinked(io, {})
    const options: Options = { signal: AbortSignal.timeout(timeoutMs), context: { retry: false } }
    const found = await find({ api, words, linked: linked?.project, options })
    // Only what a shell reads as one plain word.
    return found
      .filter(({ name }) => /^[\w@.+-]+$/.test(name))
      .map(({ name, description }) => ({ name, description: description }))
  } catch {
    return []
  }
}
