/** The app router: one definition of every procedure, for REST and RPC alike. */
import { router } from '../trpc/init.ts'
import { deploymentsRouter } from './deployments.ts'
import { projectsRouter } from './projects.ts'
import { tokensRouter } from './tokens.ts'

export const appRouter = router({
  deployments: deploymentsRouter,
  projects: projectsRouter,
  tokens: tokensRouter,
})

export type AppRouter = typeof appRouter
