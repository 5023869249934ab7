CREATE TABLE "one_person_totals" (
	"operator" text NOT NULL,
	"day" date NOT NULL,
	"credited" text NOT NULL,
	"amount_kopecks" bigint NOT NULL,
	CONSTRAINT "one_person_totals_operator_day_credited_pk" PRIMARY KEY("operator","day","credited")
);
