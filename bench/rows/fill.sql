-- Fills the database of a node that was started once. What is made follows from settings of the session:
--   fill.rows     how many deployments, events and lines of logs; the others are in proportion
--   fill.team     the id of the team that gets half of everything
--   fill.project  the id of its project that gets a quarter of all deployments
--   fill.shop     the id of its project to which a quarter of all domains is attached
--   fill.blob     the id of a blob that is there, for the files of the team's deployments
--   fill.zone     the id of its domain bigzone.com, which gets a tenth of all records, but no more than 10,000

create function pg_temp.setting(name text) returns text immutable language sql
  as $$ select current_setting('fill.' || name) $$;

create temp table amounts as
select rows, rows / 10 as tenth, rows / 20 as teams,
  (extract(epoch from now()) * 1000)::bigint - 20 * 86400000::bigint as from_ms, 20 * 86400000::bigint / rows as step_ms
from (select pg_temp.setting('rows')::bigint as rows) as given;

-- What follows gets made in the order of its numbers, in the twenty days before now.
create function pg_temp.time_of(n bigint) returns bigint stable language sql
  as $$ select from_ms + n * step_ms from amounts $$;

create function pg_temp.id(prefix text, ms bigint, n bigint) returns text immutable language sql
  as $$ select prefix || '_' || lpad(to_hex(ms), 12, '0') || substr(md5(n::text), 1, 20) $$;

create function pg_temp.team_of(n bigint) returns text immutable language sql
  as $$ select 'team_' || lpad(to_hex(n), 32, '0') $$;
-- Of whom the webhooks are: 20 are the large team's.
create function pg_temp.team_of_hook(n bigint) returns text immutable language sql
  as $$ select case when n <= 20 then pg_temp.setting('team') else pg_temp.team_of(n - 20) end $$;

-- The first half of all projects is the large team's.
create temp table places as
select k, pg_temp.id('prj', k, k) as project_id,
  case when k <= tenth / 2 then pg_temp.setting('team') else pg_temp.team_of(k % teams + 1) end as team_id
from amounts, generate_series(1, tenth) as k;
create unique index on places (k);
analyze places;

insert into teams (id, slug, name, personal, created_ms, updated_ms)
select pg_temp.team_of(n), 'team-' || n, 'Team', false, n, n from amounts, generate_series(1, teams) as n;

insert into users (id, email, name, created_ms)
select pg_temp.id('usr', n, n), 'person-' || n || '@example.com', 'A person', n
from amounts, generate_series(1, 2 * teams + 30) as n;

insert into members (team_id, user_id, role, joined_ms)
select pg_temp.team_of((n - 1) / 2 + 1), pg_temp.id('usr', n, n), case when n % 2 = 1 then 'owner' else 'member' end, n
from amounts, generate_series(1, 2 * teams) as n
union all
select pg_temp.setting('team'), pg_temp.id('usr', n, n), 'member', n
from amounts, generate_series(2 * teams + 1, 2 * teams + 30) as n;

insert into invitations (team_id, email, role, created_ms)
select pg_temp.team_of(n), 'invited-' || n || '@example.com', 'member', n from amounts, generate_series(1, teams) as n;

insert into sessions (id, user_id, token_sha256, expires_ms, created_ms, updated_ms)
select pg_temp.id('ses', n, n), pg_temp.id('usr', n, n), encode(sha256(('session ' || n)::bytea), 'hex'),
  pg_temp.time_of(2 * rows), n, n
from amounts, generate_series(1, 2 * teams) as n;

-- A tenth of all projects keeps its previews for a month.
insert into projects (id, team_id, name, production_host, build, protection, auto_promote, preview_ttl_days, previews_due_ms, spa, created_ms,
  updated_ms)
select project_id, team_id, 'site-' || k, 'site-' || k,
  '{"install_command":null,"build_command":null,"output_directory":"dist","root_directory":"."}', 'none', true,
  case when k % 10 = 0 then 30 end, pg_temp.time_of(2 * rows), false, k, k
from places, amounts;

insert into project_env (project_id, key, target, sealed, updated_ms)
select project_id, 'KEY', 'production', 'sealed', 1 from places where k % 2 = 0;

-- Two of each project.
insert into share_links (id, project_id, host, secret_sha256, created_by, created_ms, expires_ms)
select pg_temp.id('lnk', i, i), project_id, 'site-' || k, encode(sha256(('link ' || i)::bytea), 'hex'),
  pg_temp.id('usr', k % (2 * teams) + 1, k % (2 * teams) + 1), i, pg_temp.time_of(2 * rows)
from places, amounts, lateral (values (2 * k), (2 * k + 1)) as pair (i);

-- Not of the large team, whose deploy hooks would have them fetched.
insert into project_repositories (project_id, provider, url, skip_unchanged, connected_by, updated_ms)
select project_id, 'github', 'https://github.com/acme/site-' || k, true,
  pg_temp.id('usr', k % (2 * teams) + 1, k % (2 * teams) + 1), k
from places, amounts where k > tenth / 2;

insert into manifests (id, team_id) overriding system value
select 1000000 + i, pg_temp.setting('team') from amounts, generate_series(1, rows) as i;
select setval(pg_get_serial_sequence('manifests', 'id'), 3000000);

insert into blobs (id, team_id, sha256, size, object) overriding system value
select 1000000 + i, pg_temp.team_of(i % teams + 1), encode(sha256(i::text::bytea), 'hex'), 14, 'object-' || i
from amounts, generate_series(1, tenth) as i;
select setval(pg_get_serial_sequence('blobs', 'id'), 3000000);

insert into manifest_entries (manifest_id, path, blob_id)
select 1000000 + i, 'index.html',
  case when i % 2 = 0 then pg_temp.setting('blob')::bigint else 1000000 + i % tenth + 1 end
from amounts, generate_series(1, rows) as i;

-- Every fourth is of the large team's one large project, and every fourth of its others. The first 200 have a branch and a
-- state that no later ones have; what is on the branch release is never for production.
create temp table made as
select i, pg_temp.time_of(i) as ms, pg_temp.id('dpl', pg_temp.time_of(i), i) as id, place.team_id,
  case when i % 4 = 0 then pg_temp.setting('project') else place.project_id end as project_id,
  case when i / 4 % 11 <> 0 and i / 4 % 7 < 3 then 'production' else 'preview' end as target,
  case when i <= 200 then 'canceled' when i / 4 % 5 = 0 then 'error' else 'ready' end as state,
  case when i <= 200 then 'old' when i / 4 % 11 = 0 then 'release' when i / 4 % 3 = 0 then 'next' else 'main' end as branch
from amounts
cross join generate_series(1, rows) as i
join places as place on place.k = case
  when i % 2 = 0 then i / 4 % (tenth / 2) + 1
  else tenth / 2 + 1 + i / 2 % (tenth - tenth / 2) end;

insert into deployments (id, team_id, project_id, host, target, state, build, meta, manifest_id, files, bytes,
  created_by, created_ms, ready_ms, ended_ms)
select id, team_id, project_id, 'd-' || i, target, state,
  '{"install_command":null,"build_command":null,"output_directory":"dist","root_directory":"."}',
  jsonb_build_object('branch', branch, 'message', 'Change number ' || i), 1000000 + i, 1, 14,
  'usr_' || repeat('0', 32), ms, ms, ms
from made;

insert into hosts (label, team_id, project_id, deployment_id)
select 'd-' || i, team_id, project_id, id from made
union all
select 'site-' || k, team_id, project_id, null from places;

update projects set production_deployment_id = live.id
from (select project_id, max(id) as id from made where state = 'ready' group by project_id) as live
where projects.id = live.project_id and projects.production_deployment_id is null;

-- What names all its domains isn't on the first pages.
update deployments set created_ms = 1 where project_id = pg_temp.setting('shop');

-- Half of all domains are the large team's, and half of these are attached to one project; every tenth isn't verified.
create temp table named as
select k, pg_temp.id('dom', k, k) as id, 'd' || k || '.com' as domain, team_id,
  case when k <= tenth / 4 then pg_temp.setting('shop') else project_id end as project_id,
  case when k % 10 <> 0 then k end as verified_ms
from places, amounts;

insert into registrable_domains (name, serial, changed_ms) select domain, 1, 1 from named;

insert into domains (id, team_id, domain, reversed, registrable, project_id, proof, proven_ms, verified_ms, configured,
  checks, checked_ms, next_check_ms, created_ms, updated_ms)
select id, team_id, domain, 'com.d' || k, domain, project_id, 'svc-verify-' || k, verified_ms, verified_ms, true,
  1, 1, pg_temp.time_of(2 * rows) + k, k, k
from named, amounts;

update domains set proven_ms = 1, verified_ms = 1, next_check_ms = (select pg_temp.time_of(2 * rows) from amounts)
where id = pg_temp.setting('zone');

insert into records (id, team_id, domain_id, fqdn, reversed, type, value, ttl, created_ms, updated_ms)
select pg_temp.id('rec', n, n), pg_temp.setting('team'), pg_temp.setting('zone'), 'h' || n || '.bigzone.com',
  'com.bigzone.h' || n, case when n <= 15 then 'TXT' else 'A' end, case when n <= 15 then 'text' else '192.0.2.1' end,
  300, n, n
from amounts, generate_series(1, least(tenth, 9990)) as n
union all
select pg_temp.id('rec', 100000 + k, k), team_id, id, 'www.' || domain, 'com.d' || k || '.www', 'A', '192.0.2.1', 300, k, k
from named;

-- Half of all keys are of members of the large team; its owner has some member keys, the oldest of all.
insert into api_keys (id, team_id, user_id, name, prefix, token_sha256, role, created_ms)
select pg_temp.id('key', pg_temp.time_of(k), k), team_id,
  case when k <= 15 then (select user_id from members where team_id = pg_temp.setting('team') and role = 'owner')
    when k <= tenth / 2 then pg_temp.id('usr', 2 * teams + k % 30 + 1, 2 * teams + k % 30 + 1)
    else pg_temp.id('usr', 2 * (k % teams) + 1, 2 * (k % teams) + 1) end,
  'key ' || k, 'svc_' || k, encode(sha256(k::text::bytea), 'hex'), 'member', pg_temp.time_of(k)
from places, amounts;

insert into events (id, team_id, type, project_id, deployment_id, actor_id, data, created_ms)
select pg_temp.id('evt', ms, i), pg_temp.setting('team'), 'deployment.ready', project_id, id, 'usr_' || repeat('0', 32),
  jsonb_build_object('deployment', jsonb_build_object('id', id, 'project', 'web', 'target', target, 'url', 'http://d-' || i)),
  ms
from made
union all
select pg_temp.id('evt', pg_temp.time_of(10 * k), -k), team_id, 'project.created', project_id, null, 'usr_' || repeat('0', 32),
  jsonb_build_object('project', jsonb_build_object('id', project_id, 'name', 'site-' || k)), pg_temp.time_of(10 * k)
from places;

-- Of the large team's 20 webhooks the first has a tenth of all deliveries, and every other one asks for two projects only.
insert into webhooks (id, team_id, url, events, projects, sealed_secret, created_ms, last_delivery_ms)
select pg_temp.id('hook', n, n), pg_temp.team_of_hook(n),
  'https://hooks.example.com/' || n, '["team.updated"]',
  case when n % 2 = 0 then jsonb_build_array(pg_temp.setting('project'), pg_temp.setting('shop')) end, 'sealed', n, 1
from amounts, generate_series(1, 20 + teams) as n;

insert into deliveries (id, team_id, webhook_id, event_id, status, attempts, due_ms, http_status, duration_ms, created_ms)
select pg_temp.id('dlv', ms, i), pg_temp.team_of_hook(hook), pg_temp.id('hook', hook, hook), pg_temp.id('evt', ms, i),
  case when i % 10 = 0 then 'failed' else 'delivered' end, 1, ms, 200, 5, ms
from amounts, made, lateral (select case when i % 10 = 0 then 1 else i % teams + 1 end as hook) as chosen
where i % 10 = 0 or i % 50 = 1;

-- What waits for its retry isn't due.
insert into deliveries (id, team_id, webhook_id, event_id, status, attempts, due_ms, created_ms)
select pg_temp.id('dlv', ms, -i), pg_temp.team_of_hook(2 + i % teams), pg_temp.id('hook', 2 + i % teams, 2 + i % teams), pg_temp.id('evt', ms, i), 'pending', 3,
  pg_temp.time_of(2 * rows), ms
from amounts, made where i % 500 = 2;

insert into log_lines (team_id, kind, level, project_id, deployment_id, message, fields, time_ms)
select pg_temp.setting('team'), case when i % 3 = 0 then 'request' else 'build' end,
  case when i <= 100 then 'debug' when i % 20 = 0 then 'warn' else 'info' end, project_id, id,
  'line ' || i || ' of what was printed', '{}'::jsonb, ms
from made
union all
select team_id, 'build', 'info', project_id, null, 'line', '{}'::jsonb, pg_temp.time_of(10 * k) from places;

insert into idempotency_keys (team_id, user_id, operation, key, claim, input_sha256, answer, until_ms)
select team_id, 'usr_' || repeat('0', 32), 'deployments.create', 'key-' || k, 'claim', 'none', '{}'::json, pg_temp.time_of(2 * rows)
from places, amounts;
