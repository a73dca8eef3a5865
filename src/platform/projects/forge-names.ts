/** The names of forges. */
import type { Forge } from '../../stores/db/schema/project-repositories.ts'

/** As people know them. */
export const forgeNames: Record<Forge, string> = { github: 'GitHub', gitlab: 'GitLab', gitea: 'Gitea' }
