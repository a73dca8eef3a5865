'use client'
/** The palette's items: pages, projects, domains, deployments and actions. */
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTRPC } from '@/lib/api'
import { accountPath, deploymentPath, projectPath, teamPath } from '@/lib/paths'
import { setTheme } from '@/lib/theme'
import { titleOf } from '../../views/deployments/about'
import { projectTabs, useTabs } from '../tab-list'
import { type Item, matching, type Scope } from './item'

const found = 5

/** The items for what is typed, in the scope of a project or of the team. */
export function useItems(team: string, text: string, scope: Scope | undefined): Item[] {
  const router = useRouter()
  const go = (path: string) => () => router.push(path)
  const ofTeam = useTeamItems(team, scope === undefined ? text : undefined, go)
  if (scope === undefined) return ofTeam
  return projectTabs(team, scope.project).map(({ label, href }) => ({
    id: href,
    group: scope.project,
    label,
    run: go(href),
  }))
}

type Go = (path: string) => () => void

function useTeamItems(team: string, text: string | undefined, go: Go): Item[] {
  const projects = useProjects(team, text, go)
  const domain = useDomain(team, text, go)
  const deployment = useDeployment(team, text, go)
  const deployments = useDeployments(team, text, go)
  const teams = useTeams(team, go)
  const pages = useTabs({ team, project: undefined }).map(({ label, href }) => ({
    id: href,
    group: 'Pages',
    label,
    run: go(href),
  }))
  const account = { id: accountPath, group: 'Pages', label: 'Account', run: go(accountPath) }
  return [
    ...deployment,
    ...domain,
    ...projects,
    ...pages,
    account,
    ...deployments,
    ...teams,
    ...actions,
    ...inDocumentation(text),
  ]
}

function useProjects(team: string, text: string | undefined, go: Go): Item[] {
  const trpc = useTRPC()
  const q = text?.trim()
  const { data } = useQuery(
    trpc.projects.list.queryOptions(
      { limit: found, ...(q && { q }) },
      { enabled: text !== undefined, placeholderData: (before) => before },
    ),
  )
  return (data?.data ?? []).map(({ id, name }) => ({
    id,
    group: 'Projects',
    label: name,
    hint: 'Tab for its pages',
    run: go(projectPath(team, name)),
    scope: { project: name },
  }))
}

/** Domains are found by their whole name. */
function useDomain(team: string, text: string | undefined, go: Go): Item[] {
  const trpc = useTRPC()
  const name = text?.trim() ?? ''
  const isName = /^[^\s/]+\.[^\s/.]{2,}$/.test(name)
  const { data } = useQuery(
    trpc.domains.get.queryOptions({ domain: name }, { enabled: isName, retry: false }),
  )
  if (!isName || !data) return []
  return [
    { id: data.id, group: 'Domains', label: data.domain, run: go(teamPath(team, 'domains', data.domain)) },
  ]
}

/** Deployments are found by their whole id. */
function useDeployment(team: string, text: string | undefined, go: Go): Item[] {
  const trpc = useTRPC()
  const id = text?.trim() ?? ''
  const isId = /^dpl_[0-9a-f]{32}$/.test(id)
  const { data } = useQuery(
    trpc.deployments.get.queryOptions({ deployment: id }, { enabled: isId, retry: false }),
  )
  if (!isId || !data) return []
  return [{ id, group: 'Deployments', label: id, run: go(deploymentPath(team, data.project, id)) }]
}

/** The number of the team's newest deployments whose titles are searched. */
const searched = 100

/** Those whose title, a message, branch, zip or folder, has what is typed. */
function useDeployments(team: string, text: string | undefined, go: Go): Item[] {
  const trpc = useTRPC()
  const q = text?.trim() ?? ''
  const { data } = useQuery(
    trpc.deployments.list.queryOptions({ limit: searched }, { enabled: q.length > 1 }),
  )
  if (q.length < 2 || !data) return []
  const items = data.data.map((each) => ({
    id: each.id,
    group: 'Deployments',
    label: titleOf(each),
    hint: each.project,
    run: go(deploymentPath(team, each.project, each.id)),
  }))
  return matching(items, q).slice(0, found)
}

/** The search of the documentation, for what is typed. */
function inDocumentation(text: string | undefined): Item[] {
  const q = text?.trim() ?? ''
  if (q === '') return []
  const search = `/docs/search?${new URLSearchParams({ q })}`
  return [
    {
      id: 'docs-search',
      group: 'Actions',
      label: `Search the documentation for “${q}”`,
      run: () => location.assign(search),
    },
  ]
}

function useTeams(team: string, go: Go): Item[] {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.teams.list.queryOptions({ limit: 100 }))
  return (data?.data ?? [])
    .filter(({ slug }) => slug !== team)
    .map(({ id, slug, name }) => ({ id, group: 'Teams', label: name, hint: slug, run: go(teamPath(slug)) }))
}

const actions: Item[] = [
  { id: 'light', group: 'Actions', label: 'Theme: light', run: () => setTheme('light') },
  { id: 'dark', group: 'Actions', label: 'Theme: dark', run: () => setTheme('dark') },
  { id: 'system', group: 'Actions', label: 'Theme: as the system', run: () => setTheme('system') },
  { id: 'docs', group: 'Actions', label: 'Documentation', run: () => location.assign('/docs') },
  {
    id: 'reference',
    group: 'Actions',
    label: 'API reference',
    run: () => location.assign('/docs/reference'),
  },
]
