CREATE TABLE "name_histories" (
	"project_id" text PRIMARY KEY NOT NULL,
	"seen" text NOT NULL,
	"changed" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "manifests" ADD COLUMN "hash_places" jsonb;--> statement-breakpoint
ALTER TABLE "name_histories" ADD CONSTRAINT "name_histories_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;