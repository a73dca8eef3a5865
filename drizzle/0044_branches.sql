CREATE TABLE "branches" (
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"commit" text,
	"newest_deployment_id" text NOT NULL,
	"newest_ms" bigint NOT NULL,
	CONSTRAINT "branches_project_id_name_pk" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "production_branch" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "active_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "branches" ADD CONSTRAINT "branches_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
UPDATE "projects" SET "active_ms" = greatest("created_ms", (
  SELECT max("created_ms") FROM "deployments" WHERE "project_id" = "projects"."id"));
