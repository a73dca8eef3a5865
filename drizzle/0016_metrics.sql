CREATE TABLE "traffic" (
	"scope_id" text NOT NULL,
	"span_ms" integer NOT NULL,
	"start_ms" bigint NOT NULL,
	"writer" bigint NOT NULL,
	"requests" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	"errors" bigint NOT NULL,
	"latencies" text NOT NULL,
	CONSTRAINT "traffic_scope_id_span_ms_start_ms_writer_pk" PRIMARY KEY("scope_id","span_ms","start_ms","writer")
);
--> statement-breakpoint
CREATE TABLE "traffic_due" (
	"span_ms" integer NOT NULL,
	"start_ms" bigint NOT NULL,
	"scope_id" text NOT NULL,
	CONSTRAINT "traffic_due_span_ms_start_ms_scope_id_pk" PRIMARY KEY("span_ms","start_ms","scope_id")
);
--> statement-breakpoint
CREATE TABLE "traffic_gone" (
	"scope_id" text PRIMARY KEY NOT NULL,
	"gone_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "traffic_by_age" ON "traffic" USING btree ("span_ms","start_ms");