CREATE TABLE "share_links" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"host" text NOT NULL,
	"secret_sha256" text NOT NULL,
	"created_by" text NOT NULL,
	"created_ms" bigint NOT NULL,
	"expires_ms" bigint NOT NULL,
	CONSTRAINT "share_links_secret_sha256_unique" UNIQUE("secret_sha256")
);
--> statement-breakpoint
CREATE TABLE "visit_codes" (
	"code_sha256" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"host" text NOT NULL,
	"nonce_sha256" text NOT NULL,
	"path" text NOT NULL,
	"expires_ms" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "password_hash" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "access_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "access_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "share_links" ADD CONSTRAINT "share_links_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_codes" ADD CONSTRAINT "visit_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "share_links_by_project" ON "share_links" USING btree ("project_id","created_ms","id");--> statement-breakpoint
CREATE INDEX "visit_codes_by_user" ON "visit_codes" USING btree ("user_id","expires_ms");