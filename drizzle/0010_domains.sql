CREATE TABLE "domains" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	"domain" text NOT NULL,
	"reversed" text NOT NULL,
	"registrable" text NOT NULL,
	"project_id" text,
	"redirect_to" text,
	"redirect_status" integer,
	"proof" text NOT NULL,
	"proven_ms" bigint,
	"proof_lost_ms" bigint,
	"verified_ms" bigint,
	"configured" boolean DEFAULT false NOT NULL,
	"seen" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"error_reason" text,
	"error_message" text,
	"checks" integer DEFAULT 0 NOT NULL,
	"checked_ms" bigint,
	"next_check_ms" bigint NOT NULL,
	"created_ms" bigint NOT NULL,
	"updated_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registrable_domains" (
	"name" text PRIMARY KEY NOT NULL,
	"serial" bigint NOT NULL,
	"changed_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "edge_targets" (
	"type" text NOT NULL,
	"value" text NOT NULL,
	CONSTRAINT "edge_targets_type_value_pk" PRIMARY KEY("type","value")
);
--> statement-breakpoint
CREATE TABLE "records" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	"domain_id" text NOT NULL,
	"fqdn" text NOT NULL,
	"reversed" text NOT NULL,
	"type" text NOT NULL,
	"value" text NOT NULL,
	"priority" integer,
	"weight" integer,
	"port" integer,
	"ttl" integer NOT NULL,
	"comment" text,
	"created_ms" bigint NOT NULL,
	"updated_ms" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_registrable_registrable_domains_name_fk" FOREIGN KEY ("registrable") REFERENCES "public"."registrable_domains"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "records" ADD CONSTRAINT "records_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "records" ADD CONSTRAINT "records_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "domains_by_name" ON "domains" USING btree ("team_id","domain");--> statement-breakpoint
CREATE UNIQUE INDEX "domains_verified" ON "domains" USING btree ("domain") WHERE "domains"."verified_ms" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "domains_proven" ON "domains" USING btree ("registrable","domain") WHERE "domains"."proven_ms" is not null;--> statement-breakpoint
CREATE INDEX "domains_of_team_verified" ON "domains" USING btree ("team_id","domain") WHERE "domains"."verified_ms" is not null;--> statement-breakpoint
CREATE INDEX "domains_of_team_unverified" ON "domains" USING btree ("team_id","domain") WHERE "domains"."verified_ms" is null;--> statement-breakpoint
CREATE INDEX "domains_by_project" ON "domains" USING btree ("project_id","domain");--> statement-breakpoint
CREATE INDEX "domains_below" ON "domains" USING btree ("registrable","reversed" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "domains_due" ON "domains" USING btree ("next_check_ms");--> statement-breakpoint
CREATE INDEX "registrable_domains_changed" ON "registrable_domains" USING btree ("changed_ms");--> statement-breakpoint
CREATE INDEX "records_by_domain" ON "records" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "records_by_name" ON "records" USING btree ("team_id","fqdn","type");--> statement-breakpoint
CREATE INDEX "records_below" ON "records" USING btree ("team_id","reversed" text_pattern_ops);--> statement-breakpoint
CREATE VIEW "public"."zone_records" AS (
  select id, team_id, domain_id, fqdn, reversed, type, value, priority, weight, port, ttl, comment,
    created_ms, updated_ms, false as managed
  from records
  union all
  select 'rec_' || md5(id || ' TXT'), team_id, id, '_svc.' || domain, reversed || '._svc', 'TXT', proof,
    null, null, null, 300, null, proven_ms, proven_ms, true
  from domains where proven_ms is not null
  union all
  select 'rec_' || md5(domains.id || ' ' || target.type || ' ' || target.value), team_id, id, domain, reversed,
    target.type, target.value, null, null, null, 300, null, verified_ms, updated_ms, true
  from domains cross join edge_targets as target
  where verified_ms is not null and (project_id is not null or redirect_to is not null)
    and not exists (
      select from records where records.team_id = domains.team_id and records.fqdn = domains.domain
        and records.type in ('A', 'AAAA', 'ALIAS', 'CNAME')));