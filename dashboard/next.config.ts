import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NextConfig } from 'next'
import { PHASE_DEVELOPMENT_SERVER } from 'next/constants.js'

/** The node beside which `npm run dev` runs. */
const node = process.env.SVC_URL ?? 'http://localhost:3000'

/** The paths that the node serves, whatever serves the pages. */
const ofNode = [
  '/v1/:path*',
  '/trpc/:path*',
  '/auth',
  '/auth/:path*',
  '/uploads/:path*',
  '/docs',
  '/docs/:path*',
  '/readyz',
]

export default function config(phase: string): NextConfig {
  const common: NextConfig = {
    reactStrictMode: true,
    poweredByHeader: false,
    // Types come from the client's package, which is beside this one.
    turbopack: { root: dirname(dirname(fileURLToPath(import.meta.url))) },
  }
  if (phase !== PHASE_DEVELOPMENT_SERVER) return { ...common, output: 'export' }
  return {
    ...common,
    rewrites: async () => ofNode.map((source) => ({ source, destination: `${node}${source}` })),
  }
}
