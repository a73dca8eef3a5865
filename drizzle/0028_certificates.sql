CREATE TABLE "acme_accounts" (
	"directory" text PRIMARY KEY NOT NULL,
	"key_sealed" text NOT NULL,
	"url" text
);
--> statement-breakpoint
CREATE TABLE "acme_challenges" (
	"name" text NOT NULL,
	"type" text NOT NULL,
	"token" text NOT NULL,
	"key_authorization" text NOT NULL,
	"created_ms" bigint NOT NULL,
	CONSTRAINT "acme_challenges_name_type_token_pk" PRIMARY KEY("name","type","token")
);
--> statement-breakpoint
CREATE TABLE "certificates" (
	"name" text NOT NULL,
	"source" text NOT NULL,
	"domain_id" text,
	"team_id" text,
	"chain" text,
	"key_sealed" text,
	"not_before_ms" bigint,
	"not_after_ms" bigint,
	"due_ms" bigint,
	"lease" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error_reason" text,
	"error_message" text,
	"order_url" text,
	"order_key_sealed" text,
	"ordered_ms" bigint,
	CONSTRAINT "certificates_name_source_pk" PRIMARY KEY("name","source")
);
--> statement-breakpoint
CREATE TABLE "ticket_keys" (
	"created_ms" bigint PRIMARY KEY NOT NULL,
	"key_sealed" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "certificate_wanted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "hsts" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "acme_challenges_by_age" ON "acme_challenges" USING btree ("created_ms");--> statement-breakpoint
CREATE INDEX "certificates_due" ON "certificates" USING btree ("due_ms");--> statement-breakpoint
CREATE INDEX "certificates_ordered" ON "certificates" USING btree ("ordered_ms");--> statement-breakpoint
CREATE INDEX "certificates_of_domain" ON "certificates" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "certificates_of_team" ON "certificates" USING btree ("team_id");