/** Deploy hooks. */
export const faults = [
  {
    what: 'A secret whose characters are percent-encoded is in the log.',
    file: 'src/lib/log/redact-secrets.ts',
    find: "if (!text.includes('%')) return redactPlain(text)",
    replace: 'if (text) return redactPlain(text)',
    tests: ['test/lib/log/redact-secrets.test.ts', 'test/api/server/hooks/mount-hooks.test.ts'],
  },
  {
    what: 'A deploy hook deploys the sources of somebody outside the team.',
    file: 'src/platform/hooks/base.ts',
    find: '          eq(deployments.untrusted, false),\n',
    replace: '',
    tests: ['test/platform/hooks/run-hook.test.ts'],
  },
  {
    what: 'A burst of requests to a deploy hook makes as many deployments.',
    file: 'src/platform/hooks/run-hook.ts',
    find: '  if (queued !== undefined) throw new AlreadyQueued(queued)\n',
    replace: '',
    tests: ['test/platform/hooks/run-hook.test.ts'],
  },
  {
    what: 'The log has the secrets of deploy hooks.',
    file: 'src/lib/log/redact-secrets.ts',
    find: "  [/svch_[0-9A-Za-z]{12,}/g, 'svch_…'],\n",
    replace: '',
    tests: ['test/lib/log/redact-secrets.test.ts', 'test/api/server/hooks/mount-hooks.test.ts'],
  },
  {
    what: 'A deploy hook that was revoked goes on with what it had queued.',
    file: 'src/platform/forges/deliveries/deployer.ts',
    find: 'if (!hook) return',
    replace:
      "const by = { kind: 'hook', hookName: '', ...own } as const\n" +
      '    if (!hook) return { principal: { ...by, userId: repository.userId }, ...work.from }\n' +
      '    if (!hook) return',
    tests: ['test/platform/forges/deliveries/hook.test.ts'],
  },
]
