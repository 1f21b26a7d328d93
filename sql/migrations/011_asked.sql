-- What a person asked on the page, and which answer they found better without knowing whose it was.
--
-- In the store, so that it is as private as the mail, goes into its backup, and goes when the store goes.
--
-- Idempotent: safe to run again.

-- A question stands here once: asked again, it moves to the front with the columns of the last time.
CREATE TABLE IF NOT EXISTS mail.asked (
    question text PRIMARY KEY,
    as_of    date,
    columns  text[] NOT NULL,
    at       timestamptz NOT NULL DEFAULT now()
);

-- One vote for each comparison of a question. better: the column; null: no difference. answers: answers were written,
-- so the vote is about them and not about what was found alone.
CREATE TABLE IF NOT EXISTS mail.vote (
    question text NOT NULL,
    columns  text[] NOT NULL,
    better   text CHECK (better = ANY (columns)),
    answers  boolean NOT NULL,
    at       timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (question, columns)
);

GRANT SELECT ON mail.asked, mail.vote TO mailweave_reader;
