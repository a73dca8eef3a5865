/** Applications of frameworks that render on a server, as their starters make them, with a few files more. */
import { astro } from './astro.ts'
import type { FrameworkApplication } from './framework.ts'
import { next } from './next.ts'
import { nitro, nuxt } from './nitro.ts'
import { reactRouter } from './react-router.ts'
import { sveltekit } from './sveltekit.ts'

export const frameworkApplications: FrameworkApplication[] = [
  next,
  nuxt,
  nitro,
  sveltekit,
  astro,
  reactRouter,
]
