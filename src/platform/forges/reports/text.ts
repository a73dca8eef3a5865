/** The texts about a deployment that a forge is sent. */
import type { CommitStatus } from './api.ts'
import type { ReportJob } from './claim-report.ts'

/** The addresses of the deployment: for people who look into it, and of its site. */
type Places = { details: string; site: string }

/** The forges' word for the state of a deployment. */
export function commitState(state: ReportJob['state']): CommitStatus['state'] {
  if (state === 'queued' || state === 'building') return 'pending'
  return state === 'ready' ? 'success' : 'failure'
}

const descriptions: Record<ReportJob['state'], string> = {
  queued: 'The deployment waits for its build.',
  building: 'The deployment is being built.',
  ready: 'Deployed.',
  error: 'The build failed: see its log.',
  canceled: 'The deployment was canceled.',
}

/** The status of the commit, by the name of the project, since a commit may have several. */
export function statusOf({ commit, state, project }: ReportJob, { details, site }: Places): CommitStatus {
  return {
    commit,
    state: commitState(state),
    description: descriptions[state],
    targetUrl: state === 'ready' ? site : details,
    context: `svc/${project}`,
  }
}

/** By which the project's comment is found again. */
export function markerOf({ projectId }: Pick<ReportJob, 'projectId'>): string {
  return `<!-- svc:${projectId} -->`
}

/** The comment of a pull request, as Markdown. Nothing of it is by strangers. */
export function commentOf({ commit, state, project }: ReportJob, { details, site }: Places): string {
  const address = state === 'ready' ? site : '–'
  return [
    '| Project | Commit | State | Preview |',
    '|---|---|---|---|',
    `| ${project} | ${commit.slice(0, 10)} | [${words[state]}](${details}) | ${address} |`,
  ].join('\n')
}

const words: Record<ReportJob['state'], string> = {
  queued: 'Queued',
  building: 'Building',
  ready: 'Ready',
  error: 'Failed',
  canceled: 'Canceled',
}
