/** Sentences about sources. */
import type { Sources } from './recognize.ts'

/** The sentence about sources: `These are sources for Vite, built with npm run build into dist.` */
export function describeSources({ framework, sign, build, output, isServer, start }: Sources): string {
  if (start !== undefined) {
    const what = framework === undefined ? `of a server: ${sign}` : `for ${framework}`
    return `These are sources ${what}. Their server starts with \`${start}\`.`
  }
  if (isServer) return `These are sources for ${framework}. Their server runs once ${build} has built it.`
  if (framework === undefined) return `These look like sources: ${sign}.`
  const into = output === undefined ? '' : ` into ${output}`
  return `These are sources for ${framework}, built with ${build}${into}.`
}

/** The steps that lead to a server: `Express: npm install, then node a.js runs as its server.` */
export function describeServer({ framework, install, build, start }: Sources): string {
  const started = framework === undefined ? `\`${start}\` runs` : `\`${start}\` runs as its server`
  const run = start === undefined ? 'its server runs' : started
  const steps = [install, build, run].filter((each) => each !== undefined)
  return `${framework ?? 'A server'}: ${steps.join(', then ')}.`
}
