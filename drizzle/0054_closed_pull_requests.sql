CREATE TABLE "closed_pull_requests" (
	"project_id" text NOT NULL,
	"number" integer NOT NULL,
	"branch" text NOT NULL,
	"closed_ms" bigint NOT NULL,
	"due_ms" bigint,
	CONSTRAINT "closed_pull_requests_project_id_number_pk" PRIMARY KEY("project_id","number")
);
--> statement-breakpoint
ALTER TABLE "project_repositories" ADD COLUMN "close_days" integer;--> statement-breakpoint
ALTER TABLE "closed_pull_requests" ADD CONSTRAINT "closed_pull_requests_project_id_project_repositories_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project_repositories"("project_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "closed_pull_requests_by_branch" ON "closed_pull_requests" USING btree ("project_id","branch");--> statement-breakpoint
CREATE INDEX "closed_pull_requests_due" ON "closed_pull_requests" USING btree ("due_ms") WHERE due_ms is not null;