/** The link to a site, which looks like the primary button. */
import { Icon } from './icons'

/** Opens the site at `url` in a tab of its own, which can't reach the one of this page. */
export function VisitLink({ url }: { url: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener"
      className={
        'inline-flex h-8 items-center gap-1.5 rounded-md bg-accent px-3 ' +
        'font-medium text-accent-text hover:opacity-90'
      }
    >
      Visit <Icon name="external" />
    </a>
  )
}
