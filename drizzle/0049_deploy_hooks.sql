CREATE TABLE "deploy_hooks" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"branch" text,
	"secret_sha256" text NOT NULL,
	"created_by" text NOT NULL,
	"created_ms" bigint NOT NULL,
	"uses_ms" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"last_deployment_id" text,
	CONSTRAINT "deploy_hooks_secret_sha256_unique" UNIQUE("secret_sha256")
);
--> statement-breakpoint
ALTER TABLE "deploy_hooks" ADD CONSTRAINT "deploy_hooks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deploy_hooks" ADD CONSTRAINT "deploy_hooks_member_fk" FOREIGN KEY ("team_id","created_by") REFERENCES "public"."members"("team_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deploy_hooks_by_project" ON "deploy_hooks" USING btree ("project_id","created_ms","id");--> statement-breakpoint
CREATE INDEX "deploy_hooks_by_member" ON "deploy_hooks" USING btree ("team_id","created_by");