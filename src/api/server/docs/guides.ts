/** The guides, as the build rendered them. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** `npm run build` puts it there. */
const file = new URL('../../../../dist/guides.json', import.meta.url)

const guideSchema = z.object({
  /** The name of its file in `docs`, without `.md`. */
  name: z.string(),
  title: z.string(),
  /** HTML, without the title. */
  markup: z.string(),
  /** The whole guide as Markdown, with links to the pages as Markdown. */
  markdown: z.string(),
  sections: z.array(z.object({ id: z.string(), text: z.string() })),
})

export type Guide = z.infer<typeof guideSchema>

/** Where the commands of the guides find the API. */
const exampleUrl = 'http://localhost:3000'

/** All guides by name, with commands for the API at `apiUrl`. */
export function readGuides(apiUrl: string): Map<string, Guide> {
  const guides = z.array(guideSchema).parse(JSON.parse(readFileSync(file, 'utf8')))
  const own = (text: string) => text.replaceAll(exampleUrl, apiUrl)
  return new Map(
    guides.map((guide) => [
      guide.name,
      { ...guide, markup: own(guide.markup), markdown: own(guide.markdown) },
    ]),
  )
}
