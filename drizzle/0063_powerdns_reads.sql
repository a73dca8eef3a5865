CREATE OR REPLACE VIEW "powerdns"."records" AS (
  select null::bigint as id, zone.number as domain_id, record.fqdn as name,
    case when (record.type = 'LOC' and record.value ~ ' [5-9]0{7}[.]') then null else record.type end as type, case
    when (record.type = 'LOC' and record.value ~ ' [5-9]0{7}[.]') then null
    when record.type = 'TXT' then coalesce(
      (select string_agg('"' || replace(replace(string, '\', '\\'), '"', '\"') || '"', ' ' order by ordinal)
        from unnest(record.strings) with ordinality as part(string, ordinal)),
      '"' || replace(replace(record.value, '\', '\\'), '"', '\"') || '"')
    when record.type in ('HTTPS', 'SVCB') then concat_ws(' ', record.priority,
      regexp_replace(replace(replace(replace(record.value, ';', '\059'), '(', '\040'), ')', '\041'), '( key[0-9]+)(?= |$)(?=(?:[^"\\]|\\.|"(?:[^"\\]|\\.)*")*$)', '\1=""', 'g'))
    when record.type = 'SRV' then concat_ws(' ', record.weight, record.port, record.value)
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