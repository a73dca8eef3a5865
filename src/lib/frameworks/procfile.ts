/** The file that says by which command a server starts: `web: node server.js` (Heroku, "The Procfile"). */

/** Its name. */
export const procfile = 'Procfile'

/** The command of its line `web:`; undefined without one. */
export function webCommand(text: string): string | undefined {
  return /^web[ \t]*:(.*)$/m.exec(text)?.[1]?.trim() || undefined
}
