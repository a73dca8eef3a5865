CREATE SCHEMA "powerdns";
--> statement-breakpoint
CREATE TABLE "nameservers" (
	"position" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "number" integer NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "domains_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1);--> statement-breakpoint
CREATE INDEX "domains_in_family" ON "domains" USING btree ("registrable","team_id");--> statement-breakpoint
CREATE INDEX "domains_by_proof_name" ON "domains" USING btree (('_svc.' || "domain")) WHERE "domains"."proven_ms" is not null;--> statement-breakpoint
CREATE INDEX "domains_one_up" ON "domains" USING btree (substring("domain" from '^(?:[^.]+[.]){1}(.+)$')) WHERE "domains"."verified_ms" is not null;--> statement-breakpoint
CREATE INDEX "domains_two_up" ON "domains" USING btree (substring("domain" from '^(?:[^.]+[.]){2}(.+)$')) WHERE "domains"."verified_ms" is not null;--> statement-breakpoint
CREATE INDEX "records_by_fqdn" ON "records" USING btree ("fqdn");--> statement-breakpoint
CREATE INDEX "records_one_up" ON "records" USING btree (substring("fqdn" from '^(?:[^.]+[.]){1}(.+)$'));--> statement-breakpoint
CREATE INDEX "records_two_up" ON "records" USING btree (substring("fqdn" from '^(?:[^.]+[.]){2}(.+)$'));--> statement-breakpoint
CREATE INDEX "records_three_up" ON "records" USING btree (substring("fqdn" from '^(?:[^.]+[.]){3}(.+)$'));--> statement-breakpoint
CREATE VIEW "powerdns"."comments" AS (select null::integer as id, null::integer as domain_id, null::text as name, null::text as type,
    null::integer as modified_at, null::text as account, null::text as comment where false);--> statement-breakpoint
CREATE VIEW "powerdns"."cryptokeys" AS (select null::integer as id, null::integer as domain_id, null::integer as flags, null::boolean as active,
    null::boolean as published, null::text as content where false);--> statement-breakpoint
CREATE VIEW "powerdns"."domainmetadata" AS (select null::integer as id, null::integer as domain_id, null::text as kind, null::text as content where false);--> statement-breakpoint
CREATE VIEW "powerdns"."domains" AS (
  select claim.number as id, claim.domain as name, null::text as master, null::integer as last_check,
    'NATIVE' as type, null::bigint as notified_serial, null::text as account, null::text as options,
    null::text as catalog
  from domains as claim where 
  claim.proven_ms is not null and claim.team_id is distinct from (
    select proven.team_id 
  from domains as proven
  where proven.registrable = claim.registrable and proven.proven_ms is not null
    and (proven.domain = claim.domain or right(claim.domain, length(proven.domain) + 1) = '.' || proven.domain) and proven.id <> claim.id
    order by length(proven.domain) desc limit 1));--> statement-breakpoint
CREATE VIEW "powerdns"."records" AS (
  select null::bigint as id, zone.number as domain_id, record.fqdn as name, record.type, case record.type
    when 'TXT' then '"' || replace(replace(record.value, '\', '\\'), '"', '\"') || '"'
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
    select from zone_records as record where record.fqdn = empty.name and record.team_id = zone.team_id));--> statement-breakpoint
CREATE VIEW "powerdns"."supermasters" AS (select null::text as ip, null::text as nameserver, null::text as account where false);--> statement-breakpoint
CREATE VIEW "powerdns"."tsigkeys" AS (select null::integer as id, null::text as name, null::text as algorithm, null::text as secret where false);