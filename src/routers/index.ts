/** The app router: one definition of every procedure, for REST and RPC alike. */
import { router } from '../trpc/init.ts'
import { accountRouter } from './account.ts'
import { deploymentsRouter } from './deployments.ts'
import { dnsRouter } from './dns.ts'
import { domainsRouter } from './domains.ts'
import { eventsRouter } from './events.ts'
import { observabilityRouter } from './observability.ts'
import { projectsRouter } from './projects.ts'
import { teamsRouter } from './teams.ts'
import { tokensRouter } from './tokens.ts'
import { webhooksRouter } from './webhooks.ts'

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
  events: eventsRouter,
})

export type AppRouter = typeof appRouter
