CREATE TABLE "branch_env" (
	"project_id" text NOT NULL,
	"branch" text NOT NULL,
	"key" text NOT NULL,
	"sealed" text NOT NULL,
	"updated_ms" bigint NOT NULL,
	CONSTRAINT "branch_env_project_id_branch_key_pk" PRIMARY KEY("project_id","branch","key")
);
--> statement-breakpoint
ALTER TABLE "branch_env" ADD CONSTRAINT "branch_env_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;