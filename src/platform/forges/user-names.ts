/** As whom git sends a token (the forges' documentation of HTTPS access). */
import type { Forge } from '../../stores/db/schema/project-repositories.ts'

/** The user's name that each kind of forge expects with it. */
export const userNames: Record<Forge, string> = { github: 'x-access-token', gitlab: 'oauth2', gitea: 'svc' }
