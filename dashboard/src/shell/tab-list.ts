'use client'
/** The pages of a team and of a project. */
import { projectPath, teamPath } from '@/lib/paths'
import { useIsLimited } from '@/lib/role'

export type Tab = {
  label: string
  href: string
  /** The second key of its shortcut, after `g`. */
  key: string
}

const teamTabs = (team: string): Tab[] => [
  { label: 'Projects', href: teamPath(team), key: 'p' },
  { label: 'Domains', href: teamPath(team, 'domains'), key: 'd' },
  { label: 'Webhooks', href: teamPath(team, 'webhooks'), key: 'w' },
  { label: 'Logs', href: teamPath(team, 'logs'), key: 'l' },
  { label: 'Metrics', href: teamPath(team, 'metrics'), key: 'm' },
  { label: 'Status', href: teamPath(team, 'status'), key: 't' },
  { label: 'Settings', href: teamPath(team, 'settings'), key: 's' },
]

export const projectTabs = (team: string, project: string): Tab[] => [
  { label: 'Project', href: projectPath(team, project), key: 'p' },
  { label: 'Deployments', href: projectPath(team, project, 'deployments'), key: 'y' },
  { label: 'Domains', href: projectPath(team, project, 'domains'), key: 'd' },
  { label: 'Server', href: projectPath(team, project, 'server'), key: 'v' },
  { label: 'Logs', href: projectPath(team, project, 'logs'), key: 'l' },
  { label: 'Metrics', href: projectPath(team, project, 'metrics'), key: 'm' },
  { label: 'Settings', href: projectPath(team, project, 'settings'), key: 's' },
]

/** The tabs of a route: those of its project, or of its team. */
export function useTabs({ team, project }: { team: string; project: string | undefined }): Tab[] {
  const isLimited = useIsLimited()
  if (project !== undefined) return projectTabs(team, project)
  // Who is limited has no webhooks, but chooses mails.
  return teamTabs(team).map((tab) => (isLimited && tab.key === 'w' ? { ...tab, label: 'Mails' } : tab))
}
