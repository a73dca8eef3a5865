/** Sentences about sources. */
import type { Sources } from './recognize.ts'

/** The sentence about sources: `These are sources for Vite, built with npm run build into dist.` */
export function describeSources({ framework, sign, build, output }: Sources): string {
  if (framework === undefined) return `These look like sources: ${sign}.`
  const into = output === undefined ? '' : ` into ${output}`
  return `These are sources for ${framework}, built with ${build}${into}.`
}
