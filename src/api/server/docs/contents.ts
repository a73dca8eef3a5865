/** The order of the guides, with a sentence on each. */

/** `about` is a sentence by the name of a file in `docs`, without `.md`. */
export type Group = { title: string; about: Record<string, string> }

export const groups: Group[] = [
  {
    title: 'Sites',
    about: {
      deploying:
        'Deploy a site with the command, curl, a zip or files by digest; states, redeploying, previews.',
      git: 'Deploy with git push: branches, builds, what is refused, and what a server needs for it.',
      commands: 'Every command of svc with its options.',
      mcp: 'Tools for agents: what svc mcp offers, how programs start it, and what it may do.',
      ci: 'Deploy from GitHub Actions, GitLab CI and others: branches as previews, main as production.',
      sites: 'How paths lead to files; redirects, headers, protection, and what visitors get.',
      builds: 'Build a project from its sources in a sandbox: settings, limits, logs, errors.',
      servers: "Run an application's own server, in a sandbox.",
    },
  },
  {
    title: 'Names',
    about: {
      domains: 'Claim a domain, prove it, attach it to a project or redirect it.',
      dns: 'Records of proven domains, one by one or as a zone file.',
      https: 'Certificates for domains, for the sites and for the API.',
    },
  },
  {
    title: 'Using the API',
    about: {
      api: 'Credentials, teams, people, sessions and what all operations have in common.',
      errors: 'The body of every error, its reasons, and which requests to repeat.',
      paging: 'Lists page by page, and their filters.',
      rpc: 'Invitations, links, hooks, trust and keys with limits, from Go, Python, Terraform or curl.',
      idempotency: 'Repeat a POST safely with an Idempotency-Key.',
      limits: 'Rate limits, quotas and the largest sizes.',
      signing: 'What is signed: tokens, uploads and webhooks.',
      webhooks: 'Events posted to your endpoint: their signature, repeats and deliveries.',
      metrics: 'The traffic of sites, counted by project and time.',
      compatibility: 'What may change between versions, and what never does.',
    },
  },
  {
    title: 'Running a node',
    about: {
      running: 'Place, start, size and upgrade nodes: systemd, containers, Kubernetes.',
      settings: 'Every setting with its default.',
      operators: 'Metrics, health, logs, the dashboard, mails and stored files of a node.',
      backup: 'Back up an installation, and restore it.',
      scaling: 'What a fleet costs, and what breaks first.',
      'name-server': 'The built-in name server, and how to delegate domains to it.',
      'threat-model': 'What an attacker may try, and what holds.',
    },
  },
]
