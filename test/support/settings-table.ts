/** The table of settings in `docs/settings.md`, generated from the settings' definitions. */
import { environmentSchema } from '../../src/lib/settings/variables.ts'

/** Markdown, a row per setting. */
export function settingsTable(): string {
  const rows = Object.entries(environmentSchema.shape).map(([name, schema]) => {
    const { defaultText, description } = schema.meta() ?? {}
    return `| \`${name}\` | ${defaultText} | ${description} |`
  })
  return ['| Name | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}
