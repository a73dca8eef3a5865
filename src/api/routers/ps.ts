/** Running servers of deployments: RPC only. */
import { z } from 'zod'
import { listServers } from '../../platform/servers/list-servers.ts'
import { listServersInput, restartServersInput } from '../../platform/servers/ps-input.ts'
import { restartedSchema, runningServerSchema } from '../../platform/servers/ps-output.ts'
import { restartServers } from '../../platform/servers/restart.ts'
import { procedure, router } from '../trpc/init.ts'
import { restartedExample, runningServerExample } from './examples/ps.ts'

export const psRouter = router({
  list: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      reasons: ['project_not_found'],
      public: {
        summary: 'List running servers',
        description:
          'A row for each process and node, at most 1,000; of a server that is stopped there is none. ' +
          'A deployment may run twice: with the variables of production, and with those of previews.',
        example: { input: { project: 'web' }, output: { data: [runningServerExample] } },
      },
    })
    .input(listServersInput)
    .output(z.object({ data: z.array(runningServerSchema) }))
    .query(({ ctx: { services, principal }, input }) => listServers(services, principal, input)),

  restart: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      reasons: ['project_not_found'],
      public: {
        summary: "Restart a project's servers",
        description:
          'Those that run are stopped once they have answered what they are at; the next request starts ' +
          "them again, with today's variables.",
        example: { input: { project: 'web' }, output: restartedExample },
      },
    })
    .input(restartServersInput)
    .output(restartedSchema)
    .mutation(({ ctx, input }) => restartServers(ctx.services, ctx, input)),
})
