/** The app router: one definition of every procedure, for REST and RPC alike. */
import { router } from '../trpc/init.ts'
import { accountRouter } from './account.ts'
import { deploymentsRouter, deploymentsTag } from './deployments.ts'
import { dnsRouter, dnsTag } from './dns.ts'
import { domainsRouter, domainsTag } from './domains.ts'
import { eventsRouter } from './events.ts'
import { gitRouter } from './git.ts'
import { hooksRouter } from './hooks.ts'
import { invitationLinksRouter } from './invitation-links.ts'
import { linksRouter } from './links.ts'
import { observabilityRouter, observabilityTag } from './observability.ts'
import { projectsRouter, projectsTag } from './projects.ts'
import { psRouter } from './ps.ts'
import { teamsRouter, teamsTag } from './teams.ts'
import { tokensRouter, tokensTag } from './tokens.ts'
import { trustRouter } from './trust.ts'
import { webhooksRouter, webhooksTag } from './webhooks.ts'

export const appRouter = router({
  deployments: deploymentsRouter,
  projects: projectsRouter,
  domains: domainsRouter,
  dns: dnsRouter,
  webhooks: webhooksRouter,
  teams: teamsRouter,
  tokens: tokensRouter,
  observability: observabilityRouter,
  account: accountRouter,
  invitationLinks: invitationLinksRouter,
  links: linksRouter,
  hooks: hooksRouter,
  trust: trustRouter,
  ps: psRouter,
  git: gitRouter,
  events: eventsRouter,
})

/** The categories of REST, in the order of its document. */
export const tags = [
  deploymentsTag,
  projectsTag,
  domainsTag,
  dnsTag,
  webhooksTag,
  teamsTag,
  tokensTag,
  observabilityTag,
]

export type AppRouter = typeof appRouter
