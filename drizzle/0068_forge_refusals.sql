CREATE TABLE "forge_refusals" (
	"project_id" text NOT NULL,
	"kind" text NOT NULL,
	"count" bigint NOT NULL,
	"since_ms" bigint NOT NULL,
	"last_ms" bigint NOT NULL,
	CONSTRAINT "forge_refusals_project_id_kind_pk" PRIMARY KEY("project_id","kind")
);
--> statement-breakpoint
ALTER TABLE "forge_refusals" ADD CONSTRAINT "forge_refusals_project_id_project_repositories_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project_repositories"("project_id") ON DELETE cascade ON UPDATE no action;