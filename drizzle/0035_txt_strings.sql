ALTER TABLE "records" ADD COLUMN "strings" text[];--> statement-breakpoint
CREATE OR REPLACE VIEW "public"."zone_records" AS (
  select id, team_id, domain_id, fqdn, reversed, type, value, priority, weight, port, ttl, comment,
    created_ms, updated_ms, false as managed,
    case when array_to_string(strings, '') = value then strings end as strings
  from records
  union all
  select 'rec_' || md5(id || ' TXT'), team_id, id, '_svc.' || domain, reversed || '._svc', 'TXT', proof,
    null, null, null, 300, null, proven_ms, proven_ms, true, null
  from domains where proven_ms is not null
  union all
  select 'rec_' || md5(domains.id || ' ' || target.type || ' ' || target.value), team_id, id, domain, reversed,
    target.type, target.value, null, null, null, 300, null, verified_ms, updated_ms, true, null
  from domains cross join edge_targets as target
  where verified_ms is not null and (project_id is not null or redirect_to is not null)
    and not exists (
      select from records where records.team_id = domains.team_id and records.fqdn = domains.domain
        and records.type in ('A', 'AAAA', 'ALIAS', 'CNAME')));--> statement-breakpoint
CREATE OR REPLACE VIEW "powerdns"."records" AS (
  select null::bigint as id, zone.number as domain_id, record.fqdn as name, record.type, case record.type
    when 'TXT' then coalesce(
      (select string_agg('"' || replace(replace(string, '\', '\\'), '"', '\"') || '"', ' ' order by ordinal)
        from unnest(record.strings) with ordinality as part(string, ordinal)),
      '"' || replace(replace(record.value, '\', '\\'), '"', '\"') || '"')
    when 'HTTPS' then concat_ws(' ', record.priority, record.value)
    when 'SVCB' then concat_ws(' ', record.priority, record.value)
    when 'SRV' then concat_ws(' ', record.weight, record.port, record.value)
    else record.value end as content,
    record.ttl, record.priority as prio, false as disabled, null::text as ordername,
    true as auth
  from zone_records as record
  join domains as claim on claim.id = record.domain_id
  cross join lateral (
  select * from (
    select proven.*, lag(proven.team_id) over (order by length(proven.domain)) as team_above
    
  from domains as proven
  where proven.registrable = claim.registrable and proven.proven_ms is not null
    and (proven.domain = record.fqdn or right(record.fqdn, length(proven.domain) + 1) = '.' || proven.domain)) as chain
  where team_id is distinct from team_above order by length(domain) desc limit 1) as zone
  where zone.team_id = record.team_id and (record.type <> 'NS' or record.fqdn <> zone.domain)
  union all
  select null::bigint as id, claim.number, claim.domain, 'SOA',
    concat(coalesce((select name from nameservers order by position limit 1), claim.domain), ' hostmaster.',
      claim.domain, ' ', family.serial % 4294967296, ' 3600 600 604800 300'), 3600, null, false as disabled, null::text as ordername,
    true as auth
  from domains as claim join registrable_domains as family on family.name = claim.registrable
  where claim.verified_ms is not null and 
  claim.proven_ms is not null and claim.team_id is distinct from (
    select proven.team_id 
  from domains as proven
  where proven.registrable = claim.registrable and proven.proven_ms is not null
    and (proven.domain = claim.domain or right(claim.domain, length(proven.domain) + 1) = '.' || proven.domain) and proven.id <> claim.id
    order by length(proven.domain) desc limit 1)
  union all
  select null::bigint as id, claim.number, claim.domain, 'NS', nameservers.name, 3600, null, false as disabled, null::text as ordername,
    true as auth
  from domains as claim cross join nameservers
  where claim.verified_ms is not null and 
  claim.proven_ms is not null and claim.team_id is distinct from (
    select proven.team_id 
  from domains as proven
  where proven.registrable = claim.registrable and proven.proven_ms is not null
    and (proven.domain = claim.domain or right(claim.domain, length(proven.domain) + 1) = '.' || proven.domain) and proven.id <> claim.id
    order by length(proven.domain) desc limit 1)
  union all
  
  select distinct null::bigint as id, zone.number as domain_id, empty.name, null::text as type,
    null::text as content, 300 as ttl, null::integer as prio, false as disabled, null::text as ordername,
    true as auth
  from (
    
    select claim.registrable, substring(record.fqdn from '^(?:[^.]+[.]){1}(.+)$') as name
    from records as record join domains as claim on claim.id = record.domain_id
    where 
  claim.team_id = (select proven.team_id 
  from domains as proven
  where proven.registrable = claim.registrable and proven.proven_ms is not null
    and (proven.domain = record.fqdn or right(record.fqdn, length(proven.domain) + 1) = '.' || proven.domain) order by length(proven.domain) desc limit 1) union all 
    select claim.registrable, substring(record.fqdn from '^(?:[^.]+[.]){2}(.+)$') as name
    from records as record join domains as claim on claim.id = record.domain_id
    where 
  claim.team_id = (select proven.team_id 
  from domains as proven
  where proven.registrable = claim.registrable and proven.proven_ms is not null
    and (proven.domain = record.fqdn or right(record.fqdn, length(proven.domain) + 1) = '.' || proven.domain) order by length(proven.domain) desc limit 1) union all 
    select claim.registrable, substring(record.fqdn from '^(?:[^.]+[.]){3}(.+)$') as name
    from records as record join domains as claim on claim.id = record.domain_id
    where 
  claim.team_id = (select proven.team_id 
  from domains as proven
  where proven.registrable = claim.registrable and proven.proven_ms is not null
    and (proven.domain = record.fqdn or right(record.fqdn, length(proven.domain) + 1) = '.' || proven.domain) order by length(proven.domain) desc limit 1)
    union all
    select claim.registrable, claim.domain from domains as claim where claim.verified_ms is not null and claim.proven_ms is not null
    
    union all
    select claim.registrable, substring(claim.domain from '^(?:[^.]+[.]){1}(.+)$') from domains as claim
    where claim.verified_ms is not null and (claim.proven_ms is not null or claim.verified_ms is not null
    and (claim.project_id is not null or claim.redirect_to is not null) and exists (select from edge_targets))
    union all
    select claim.registrable, substring(claim.domain from '^(?:[^.]+[.]){2}(.+)$') from domains as claim
    where claim.verified_ms is not null and (claim.proven_ms is not null or claim.verified_ms is not null
    and (claim.project_id is not null or claim.redirect_to is not null) and exists (select from edge_targets))
  ) as empty
  cross join lateral (
  select * from (
    select proven.*, lag(proven.team_id) over (order by length(proven.domain)) as team_above
    
  from domains as proven
  where proven.registrable = empty.registrable and proven.proven_ms is not null
    and (proven.domain = empty.name or right(empty.name, length(proven.domain) + 1) = '.' || proven.domain)) as chain
  where team_id is distinct from team_above order by length(domain) desc limit 1) as zone
  where empty.name <> zone.domain and not exists (
    select from zone_records as record where record.fqdn = empty.name and record.team_id = zone.team_id));