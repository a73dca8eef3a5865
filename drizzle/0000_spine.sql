CREATE TABLE "blobs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "blobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"team_id" text NOT NULL,
	"sha256" text NOT NULL,
	"size" bigint NOT NULL,
	"object" text NOT NULL,
	"collect_after_ms" bigint,
	CONSTRAINT "blobs_object_unique" UNIQUE("object")
);
--> statement-breakpoint
CREATE TABLE "hosts" (
	"label" text PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	"project_id" text,
	"deployment_id" text
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"id" integer PRIMARY KEY NOT NULL,
	"encryption_check" text NOT NULL,
	"created_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"token_sha256" text NOT NULL,
	"role" text NOT NULL,
	"created_ms" bigint NOT NULL,
	"last_used_ms" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "api_keys_token_sha256_unique" UNIQUE("token_sha256")
);
--> statement-breakpoint
CREATE TABLE "manifest_entries" (
	"manifest_id" bigint NOT NULL,
	"path" text NOT NULL,
	"blob_id" bigint NOT NULL,
	CONSTRAINT "manifest_entries_manifest_id_path_pk" PRIMARY KEY("manifest_id","path")
);
--> statement-breakpoint
CREATE TABLE "manifests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "manifests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"team_id" text NOT NULL,
	"released_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "deployments" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	"project_id" text NOT NULL,
	"host" text NOT NULL,
	"target" text NOT NULL,
	"state" text NOT NULL,
	"error_reason" text,
	"error_message" text,
	"build" jsonb NOT NULL,
	"meta" jsonb NOT NULL,
	"manifest_id" bigint,
	"files" integer NOT NULL,
	"bytes" bigint NOT NULL,
	"created_by" text NOT NULL,
	"created_ms" bigint NOT NULL,
	"building_ms" bigint,
	"ready_ms" bigint,
	"ended_ms" bigint,
	"live_since_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "project_env" (
	"project_id" text NOT NULL,
	"key" text NOT NULL,
	"target" text NOT NULL,
	"sealed" text NOT NULL,
	"updated_ms" bigint NOT NULL,
	CONSTRAINT "project_env_project_id_key_target_pk" PRIMARY KEY("project_id","key","target")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	"name" text NOT NULL,
	"production_host" text NOT NULL,
	"build" jsonb NOT NULL,
	"protection" text NOT NULL,
	"bypass_sha256" text,
	"bypass_version" integer DEFAULT 0 NOT NULL,
	"auto_promote" boolean NOT NULL,
	"preview_ttl_days" integer,
	"spa" boolean NOT NULL,
	"production_deployment_id" text,
	"promoted_by_hand_ms" bigint DEFAULT 0 NOT NULL,
	"created_ms" bigint NOT NULL,
	"updated_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "members" (
	"team_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"joined_ms" bigint NOT NULL,
	CONSTRAINT "members_team_id_user_id_pk" PRIMARY KEY("team_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "teams" (
	"id" text PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"personal" boolean NOT NULL,
	"created_ms" bigint NOT NULL,
	CONSTRAINT "teams_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text,
	"name" text NOT NULL,
	"created_ms" bigint NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
ALTER TABLE "blobs" ADD CONSTRAINT "blobs_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hosts" ADD CONSTRAINT "hosts_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hosts" ADD CONSTRAINT "hosts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hosts" ADD CONSTRAINT "hosts_deployment_id_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."deployments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "manifest_entries" ADD CONSTRAINT "manifest_entries_manifest_id_manifests_id_fk" FOREIGN KEY ("manifest_id") REFERENCES "public"."manifests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "manifest_entries" ADD CONSTRAINT "manifest_entries_blob_id_blobs_id_fk" FOREIGN KEY ("blob_id") REFERENCES "public"."blobs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "manifests" ADD CONSTRAINT "manifests_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_manifest_id_manifests_id_fk" FOREIGN KEY ("manifest_id") REFERENCES "public"."manifests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_env" ADD CONSTRAINT "project_env_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_production_deployment_id_deployments_id_fk" FOREIGN KEY ("production_deployment_id") REFERENCES "public"."deployments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "blobs_by_digest" ON "blobs" USING btree ("team_id","sha256");--> statement-breakpoint
CREATE INDEX "blobs_to_collect" ON "blobs" USING btree ("collect_after_ms") WHERE "blobs"."collect_after_ms" is not null;--> statement-breakpoint
CREATE INDEX "hosts_by_project" ON "hosts" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "hosts_by_deployment" ON "hosts" USING btree ("deployment_id");--> statement-breakpoint
CREATE INDEX "api_keys_by_team" ON "api_keys" USING btree ("team_id","created_ms","id");--> statement-breakpoint
CREATE INDEX "manifest_entries_by_blob" ON "manifest_entries" USING btree ("blob_id");--> statement-breakpoint
CREATE INDEX "manifests_released" ON "manifests" USING btree ("released_ms") WHERE "manifests"."released_ms" is not null;--> statement-breakpoint
CREATE INDEX "deployments_by_team" ON "deployments" USING btree ("team_id","created_ms","id");--> statement-breakpoint
CREATE INDEX "deployments_by_project" ON "deployments" USING btree ("project_id","created_ms","id");--> statement-breakpoint
CREATE INDEX "deployments_by_state" ON "deployments" USING btree ("team_id","state","created_ms","id");--> statement-breakpoint
CREATE INDEX "deployments_by_target" ON "deployments" USING btree ("project_id","target","created_ms","id");--> statement-breakpoint
CREATE INDEX "deployments_by_branch" ON "deployments" USING btree ("team_id",("meta" ->> 'branch'),"created_ms","id");--> statement-breakpoint
CREATE INDEX "deployments_by_manifest" ON "deployments" USING btree ("manifest_id");--> statement-breakpoint
CREATE UNIQUE INDEX "projects_by_name" ON "projects" USING btree ("team_id","name");--> statement-breakpoint
CREATE INDEX "projects_by_production_deployment" ON "projects" USING btree ("production_deployment_id");--> statement-breakpoint
CREATE INDEX "projects_with_preview_ttl" ON "projects" USING btree ("id") WHERE "projects"."preview_ttl_days" is not null;--> statement-breakpoint
CREATE INDEX "members_by_user" ON "members" USING btree ("user_id");