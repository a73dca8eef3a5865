/** What a node says at `/readyz` of itself, without the machine and the database that tests share. */
import { z } from 'zod'

const readinessSchema = z.looseObject({
  degraded: z.array(z.string()),
  alerts: z.array(z.looseObject({ name: z.string() })).optional(),
})

const ofOthers = /^(?:disk_low$|certificate)/

/** The answer as it is where the disk is not nearly full, and no test has added certificates. */
export function ownReadiness(answer: unknown): Record<string, unknown> {
  const { disk_space, next_certificate, backup, alerts, degraded, ...rest } = readinessSchema.parse(answer)
  return {
    ...rest,
    degraded: degraded.filter((part) => !ofOthers.test(part)),
    ...(alerts && { alerts: alerts.filter(({ name }) => !ofOthers.test(name)) }),
  }
}

/** The list `degraded` of it. */
export function degradedIn(answer: unknown): string[] {
  return readinessSchema.parse(ownReadiness(answer)).degraded
}
