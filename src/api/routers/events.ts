/** A team's events, as they happen. */
import { type TrackedEnvelope, tracked } from '@trpc/server'
import { z } from 'zod'
import { type Follower, followEvents, type Identified } from '../../stores/events/live/follow.ts'
import { type Message, messageSchema } from '../../stores/events/live/messages.ts'
import type { GuardedContext } from '../trpc/guard.ts'
import { procedure, router } from '../trpc/init.ts'
import { streamOf } from '../trpc/stream-of.ts'

export const eventsRouter = router({
  /** RPC only: REST follows the log with `wait_s`, and webhooks push. */
  follow: procedure
    .meta({ role: 'member', limited: 'theirs' })
    .input(z.strictObject({ lastEventId: z.string().max(100).nullish() }))
    .output(streamOf(messageSchema))
    .subscription(async ({ ctx, input: { lastEventId } }) =>
      envelopes(await followEvents(ctx.services, followerOf(ctx), lastEventId ?? null)),
    ),
})

async function* envelopes(stream: AsyncIterable<Identified>): AsyncGenerator<TrackedEnvelope<Message>, void> {
  for await (const { id, message } of stream) yield tracked(id, message)
}

function followerOf(ctx: GuardedContext): Follower {
  const { principal } = ctx
  const { userId, teamId, projects } = principal
  return {
    userId,
    teamId,
    projects,
    signal: ctx.signal(),
    expiresMs: principal.kind === 'key' ? principal.keyLimits.endsMs : principal.expiresMs,
    check: async () => (await ctx.authenticateAgain()).projects,
  }
}
