CREATE TABLE "seals" (
	"trail" text NOT NULL,
	"number" bigint NOT NULL,
	"columns" jsonb NOT NULL,
	"positions" bigint[] NOT NULL,
	"digests" "bytea" NOT NULL,
	"previous_hash" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	"sealed_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "seals_trail_number_pk" PRIMARY KEY("trail","number")
);
