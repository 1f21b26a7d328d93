"""Rarer words for a question mean what the plain ones mean."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from graph.plan import (
    AnsweredBy,
    Answers,
    Between,
    FirstInThread,
    Forwarded,
    Labels,
    Mentions,
    Messages,
    Organizations,
    People,
    Period,
    Plan,
    RecipientCount,
    Subject,
    Threads,
)
from retrieval.linker import NameIndex
from retrieval.name_forms import Named
from retrieval.planner import rules
from tests.retrieval.people import ANA_T, LEE, MARTA, OWN, PAUL, QUAY
from tests.retrieval.planner.test_outline import (
    AS_OF,
    FROM_MARTA,
    FROM_PAUL,
    INDEX,
    JUNE,
    MAY,
    SAME,
    TO_MARTA,
    TO_PAUL,
    people,
)
from tests.retrieval.planner.test_rules import unordered

BRIDGE = Labels((21,))
TOP = {"order_by": "count", "limit": 1}
MOST_WRITTEN_TO = people("recipient", FROM_MARTA, MAY, exclude_people=(MARTA,), **TOP)


PLAIN = [
    # who is asked for
    ("Who are the three people I wrote to most?",
     people("recipient", FROM_MARTA, exclude_people=(MARTA,), order_by="count", limit=3)),
    ("Who was in the conversation 'Steel offer' besides me?",
     people("participant", Subject("Steel offer"), exclude_people=(MARTA,))),
    ("Who is my most frequent correspondent?",
     people("participant", People("participant", (MARTA,)), exclude_people=(MARTA,), **TOP)),
    ("Who are my top three senders?",
     people("sender", TO_MARTA, exclude_people=(MARTA,), order_by="count", limit=3)),
    ("Rank the two people who stand most often in the To line of messages sent by Paul Ndiaye, himself left out.",
     people("to", FROM_PAUL, exclude_people=(PAUL,), order_by="count", limit=2)),
    ("Has Marta written more often to Paul Ndiaye or to Lee Okafor?",
     people("recipient", FROM_MARTA, exclude_people=(MARTA,), within=((PAUL, LEE),), **TOP)),
    ("To whom did Paul write the most mail in May 2021 (To recipients), and how many messages was it?",
     people("to", FROM_PAUL, MAY, exclude_people=(PAUL,), **TOP)),
    # one of a ranking
    ("Who sent the second most messages to me?", people("sender", TO_MARTA, exclude_people=(MARTA,), skip=1, **TOP)),
    ("Which month had the third most messages?", Plan("months", skip=2, **TOP)),
    ("Who wrote most to me, and who second?",
     people("sender", TO_MARTA, exclude_people=(MARTA,), order_by="count", limit=2)),
    # months
    ("When did Paul write most?", Plan("months", filters=(FROM_PAUL,), **TOP)),
    ("In the year 2020, which month saw most mails from Paul among those from June to December?",
     Plan("months", filters=(FROM_PAUL, Period(date(2020, 6, 1), date(2021, 1, 1))), **TOP)),
    # messages
    ("Count what Paul had sent me by the end of May 2021.",
     Plan(filters=(FROM_PAUL, TO_MARTA, Period(None, date(2021, 6, 1))))),
    ("How many mails did Paul send by May 2021?", Plan(filters=(FROM_PAUL, Period(None, date(2021, 6, 1))))),
    ("Between 3 and 5 May 2021, first and last day included, how many mails did Paul send?",
     Plan(filters=(FROM_PAUL, Period(date(2021, 5, 3), date(2021, 5, 6))))),
    ("On how many messages by Paul was I only copied?",
     Plan(filters=(FROM_PAUL, People("cc", (MARTA,))), not_filters=(People("to", (MARTA,)),))),
    ("How many messages was I copied on in May 2021?", Plan(filters=(MAY, People("cc", (MARTA,))))),
    # folders
    ("How many messages does the folder projects/bridge contain?", Plan(filters=(BRIDGE,))),
    ("What has been filed in the projects/bridge folder?", Plan(filters=(BRIDGE,))),
    ("Which folder contains most messages from Paul?", Plan("labels", filters=(FROM_PAUL,), **TOP)),
    # words as they are written
    ("How many messages mention Hart-Scott?", Plan(filters=(Mentions(("Hart-Scott",)),))),
    ("Which messages mention AT&T?", Plan(filters=(Mentions(("AT&T",)),))),
    ("R&D and rivets: how many messages name both?", Plan(filters=(Mentions(("R&D", "rivets")),))),
    ("What is the number of messages in which steel is mentioned but rivets are not?",
     Plan(filters=(Mentions(("steel",)),), not_filters=(Mentions(("rivets",)),))),
    # conversations
    ("Who wrote in conversations that Paul took part in?",
     people("sender", Threads(Plan("threads", filters=(People("participant", (PAUL,)),))), exclude_people=(PAUL,))),
    ("Find out who wrote the last mail in the folder projects/bridge. How many mails has that person sent?",
     Plan(filters=(People("sender", people("sender", BRIDGE, order_by="date", limit=1)),))),
    ("How many messages did the person send in all who answered Paul's mail titled 'Steel offer'?",
     Plan(filters=(People("sender", people("sender", Subject("Steel offer"),
                                           Answers(Plan(filters=(FROM_PAUL,))), exclude_people=(PAUL,))),))),
    ("In which folders do the messages of Quay's busiest writer lie?",
     Plan("labels", filters=(People("sender", people("sender", only_organizations=(QUAY,), **TOP)),))),
    # who is told of first
    ("Several people mailed around. Whose name is on most of the messages that have 'P&L' in the subject line?",
     people("sender", Subject("P&L", contains=True), **TOP)),
    ("Consider whoever, after Marta, sent the most messages in May 2021. Which are the months in which that person "
     "sent more than five?",
     Plan("months", filters=(People("sender", people("sender", MAY, exclude_people=(MARTA,), **TOP)),), at_least=6)),
    ("One correspondent sent more messages than anybody else but Paul in May 2021. How many messages did Paul write to "
     "that correspondent?",
     Plan(filters=(FROM_PAUL, People("recipient", people("sender", MAY, exclude_people=(PAUL,), **TOP))))),
    ("Some of those who wrote from quay.example were never written to by Paul, neither in To nor in Cc. Who are they?",
     people("sender", exclude_people=(PAUL,), only_organizations=(QUAY,),
            without=(people("recipient", FROM_PAUL),))),
    ("Mails with 'Steel' in the subject kept coming. From how many people?",
     people("sender", Subject("Steel", contains=True))),
    ("Take the person I wrote to most in May 2021. Who else was on any of the messages I sent to that person?",
     people("recipient", FROM_MARTA, People("recipient", MOST_WRITTEN_TO), exclude_people=(MARTA,),
            without=(MOST_WRITTEN_TO,))),
    # among whom
    ("Which of the people who wrote in the conversation 'Steel offer' did not write anything in May 2021?",
     people("sender", Subject("Steel offer"), without=(people("sender", MAY),))),
    ("Of the senders of messages in the projects/bridge folder, who sent the most messages overall?",
     people("sender", within=(people("sender", BRIDGE),), **TOP)),
    ("Which people had at least ten messages addressed to them (To) by Paul although there is not one message from them?",
     people("to", FROM_PAUL, exclude_people=(PAUL,), at_least=10, without=(people("sender"),))),
    # to and from outside
    ("How many messages did Paul send to people outside quay.example in May 2021?",
     Plan(filters=(FROM_PAUL, MAY, People("recipient", people("recipient", exclude_organizations=(QUAY,)))))),
    ("How many mails did Paul write to external recipients?",
     Plan(filters=(FROM_PAUL, People("recipient", people("recipient", exclude_organizations=(OWN,)))))),
    ("How many of the messages from Paul were addressed to me alone?",
     Plan(filters=(FROM_PAUL, TO_MARTA, RecipientCount("recipient", 1, 1)))),
    # notes
    ("Apart from Marta, who sent the most messages in May 2021, and how many were they?",
     people("sender", MAY, exclude_people=(MARTA,), **TOP)),
    ("To how many people, himself not counted, did Paul address messages (To line) in May 2021?",
     people("to", FROM_PAUL, MAY, exclude_people=(PAUL,))),
    ("On how many messages written by somebody else does Paul stand in the Cc line?",
     Plan(filters=(People("cc", (PAUL,)),), not_filters=(FROM_PAUL,))),
    ("Name the two months in which quay.example sent the most mail, the stronger one first.",
     Plan("months", filters=(Organizations("sender", (QUAY,)),), order_by="count", limit=2)),
    ("To whom did I write the most during the first half of 2021, January through June?",
     people("recipient", FROM_MARTA, Period(date(2021, 1, 1), date(2021, 7, 1)), exclude_people=(MARTA,), **TOP)),
    # one message
    ("Who received the message with the most recipients in the projects/bridge folder?",
     people("recipient", Messages(Plan(filters=(BRIDGE,), order_by="recipients", limit=1)))),
    ("Who sent the single message that went to more recipients than any other?",
     people("sender", Messages(Plan(order_by="recipients", limit=1)))),
    ("How many messages did Marta send to the person whose message mentions rivets for the first time?",
     Plan(filters=(FROM_MARTA, People("recipient", people("sender", Mentions(("rivets",)), order_by="date",
                                                          descending=False, limit=1))))),
    ("How many messages name steel but say nothing of rivets?",
     Plan(filters=(Mentions(("steel",)),), not_filters=(Mentions(("rivets",)),))),
    ("How many of my own messages carry a subject that begins with FW:?", Plan(filters=(FROM_MARTA, Forwarded()))),
    ("Looking at 2021 only, what was my most active month as a sender?",
     Plan("months", filters=(FROM_MARTA, Period(date(2021, 1, 1), date(2022, 1, 1))), **TOP)),
    # how many people a message went to
    ("How many messages from Paul have more than ten recipients?", Plan(filters=(FROM_PAUL, RecipientCount("recipient", 11)))),
    ("Wie viele Mails von Paul Ndiaye haben mehr als zehn Empfänger?",
     Plan(filters=(FROM_PAUL, RecipientCount("recipient", 11)))),
    ("How many of Paul's messages name two or more people in the To line?",
     Plan(filters=(FROM_PAUL, RecipientCount("to", 2)))),
    ("Which messages did Paul send to exactly three people?", Plan(filters=(FROM_PAUL, RecipientCount("recipient", 3, 3)))),
    ("How many messages that Paul received had no other recipient?", Plan(filters=(TO_PAUL, RecipientCount("recipient", 1, 1)))),
    ("Who sent the most messages with more than 20 recipients?", people("sender", RecipientCount("recipient", 21), **TOP)),
    # whose messages
    ("Who was copied most often on the messages of Paul?", people("cc", FROM_PAUL, exclude_people=(PAUL,), **TOP)),
    ("How many messages were exchanged by Paul and Lee Okafor in May 2021?",
     Plan(filters=(MAY, Between((PAUL,), (LEE,), "to")))),
    ("Which folders contain no message from Paul?", Plan("labels", without=(Plan("labels", filters=(FROM_PAUL,)),))),
    # words that say something elsewhere are words where they are mentioned
    ("How many mails mention Niagara Falls?", Plan(filters=(Mentions(("Niagara Falls",)),))),
    ("How many mails mention the average price?", Plan(filters=(Mentions(("average price",)),))),
    ("How many messages mention the 2020 report in May 2021?", Plan(filters=(Mentions(("2020 report",)), MAY))),
    # denials, additions
    ("How many messages about steel without mentioning rivets did Paul send?",
     Plan(filters=(Mentions(("steel",)), FROM_PAUL), not_filters=(Mentions(("rivets",)),))),
    ("How many mails are not mine?", Plan(not_filters=(FROM_MARTA,))),
    ("How many messages were sent to me in addition to Paul?", Plan(filters=(TO_MARTA, TO_PAUL))),
    ("How many messages have Paul as the only recipient?", Plan(filters=(TO_PAUL, RecipientCount("recipient", 1, 1)))),
    ("In the year 2020, how many mails did Paul send in May and August?",
     Plan(filters=(FROM_PAUL, Period(date(2020, 5, 1), date(2020, 9, 1))),
          not_filters=(Period(date(2020, 6, 1), date(2020, 8, 1)),))),
    ("Which colleagues of mine wrote to Paul in May 2021?",
     people("sender", MAY, TO_PAUL, exclude_people=(PAUL,))),
    # what two verbs share, who is among whom
    ("Everyone who both sent mail to and received mail from Paul in May 2021",
     people("sender", TO_PAUL, MAY, exclude_people=(PAUL,), within=(people("recipient", FROM_PAUL, MAY),))),
    ("Of those who wrote to Paul in May 2021, how many had also written to him in June 2021?",
     people("sender", TO_PAUL, JUNE, exclude_people=(PAUL,), within=(people("sender", MAY, TO_PAUL, exclude_people=(PAUL,)),))),
    ("From whom did Marta get the fewest messages, among Paul Ndiaye, Lee Okafor and Ana Torres?",
     people("sender", TO_MARTA, exclude_people=(MARTA,), within=((PAUL, LEE, ANA_T),), descending=False, **TOP)),
    ("Which people got mail from both the busiest sender of May 2021 and the busiest sender of June 2021?",
     people("recipient", People("sender", people("sender", MAY, **TOP)),
            within=(people("recipient", People("sender", people("sender", JUNE, **TOP))),))),
    ("Which of the conversations that Paul began in May 2021 got no answer?",
     Plan("threads", filters=(MAY, FROM_PAUL, FirstInThread()),
          without=(Plan("threads", filters=(MAY, FROM_PAUL, FirstInThread(), AnsweredBy())),))),
    ("How many messages say 'confidential' in the subject?", Plan(filters=(Subject("confidential", contains=True),))),
    # what was told of is asked for at the end, a line of a message, a size
    ("Paul sent a number of mails in May 2021; how many were they?", Plan(filters=(FROM_PAUL, MAY))),
    ("Paul sent messages to Marta in May 2021. What is their number?", Plan(filters=(FROM_PAUL, TO_MARTA, MAY))),
    ("Rivets are mentioned in several messages; list them all.", Plan(filters=(Mentions(("Rivets",)),))),
    ("How many messages date from May 2021?", Plan(filters=(MAY,))),
    ("Count the messages by Paul that name Marta in the To line and date from May 2021.",
     Plan(filters=(FROM_PAUL, MAY, People("to", (MARTA,))))),
    ("On how many messages did Paul put Marta in copy (Cc)?", Plan(filters=(FROM_PAUL, People("cc", (MARTA,))))),
    ("Which messages did Paul send in May 2021 without Marta among the recipients?",
     Plan(filters=(FROM_PAUL, MAY), not_filters=(TO_MARTA,))),
    ("In May 2021, whom did Paul write to more often than anybody else, and in how many messages?",
     people("recipient", FROM_PAUL, MAY, exclude_people=(PAUL,), **TOP)),
    # one's own
    ("In how many messages of my own does the word rivets occur?", Plan(filters=(Mentions(("rivets",)), FROM_MARTA))),
    ("Mails of May 2021, but not my own", Plan(filters=(MAY,), not_filters=(FROM_MARTA,))),
    ("To whom did I address my message with the subject 'Steel offer'? List everyone in To.",
     people("to", Subject("Steel offer"), FROM_MARTA, exclude_people=(MARTA,))),
    # what is passed on
    ("How many messages did I forward in May 2021?", Plan(filters=(MAY, FROM_MARTA, Forwarded()))),
    ("Wie viele Mails von Paul Ndiaye sind Weiterleitungen?", Plan(filters=(FROM_PAUL, Forwarded()))),
    ("Les messages que Paul Ndiaye a transférés en mai 2021", Plan(filters=(FROM_PAUL, MAY, Forwarded()))),
    # answers suppose a message
    ("Whom have I never answered?",
     people("sender", TO_MARTA, exclude_people=(MARTA,),
            without=(people("sender", AnsweredBy(Plan(filters=(FROM_MARTA,)))),))),
    ("Which people did I answer in May 2021?",
     people("sender", AnsweredBy(Plan(filters=(FROM_MARTA, MAY))), exclude_people=(MARTA,))),
    # places
    ("people with an address at quay.example to whom I have sent mail",
     people("recipient", FROM_MARTA, exclude_people=(MARTA,), only_organizations=(QUAY,))),
]  # fmt: skip


@pytest.mark.parametrize(("question", "plan"), PLAIN, ids=lambda v: str(v)[:70])
def test_a_question_in_rarer_words_means_the_plain_one(question: str, plan: Plan) -> None:
    found = rules.plan(question, INDEX, AS_OF)
    assert found.plan is not None, found.reason
    assert found.sure, found.reason
    assert unordered(found.plan) == unordered(plan)


@pytest.mark.parametrize(
    "question",
    ["Who sent me the last message about steel?", "Whose message was the first with the word 'rivets'?",
     "From whom did I get the first mail with an attachment?"],
)  # fmt: skip
def test_the_sender_of_one_message_may_be_an_office_or_a_service(question: str) -> None:
    found = rules.plan(question, INDEX, AS_OF).plan
    assert found is not None
    assert (found.target, found.order_by, found.limit, found.persons) == ("people", "date", 1, False)


def test_a_person_of_whom_a_first_sentence_tells_is_meant_behind_a_colon() -> None:
    question = "In May 2021 somebody besides me wrote most: who got a copy of their messages of that month?"
    found = rules.plan(question, INDEX, AS_OF)
    most = people("sender", MAY, exclude_people=(MARTA,), order_by="count", limit=1)
    assert found.plan is not None
    assert unordered(found.plan) == unordered(people("cc", MAY, People("sender", most)))


def test_no_beginning_of_a_question_raises_with_or_without_an_owner() -> None:
    nobodys = NameIndex([replace(p, is_owner=False) for p in INDEX.people.values()], [], [])
    questions = [question for question, _ in PLAIN] + [question for same, _ in SAME for question in same]
    for question in questions:
        words = question.split()
        for n in range(1, len(words) + 1):
            rules.plan(" ".join(words[:n]), nobodys if n % 2 else INDEX, AS_OF)


@pytest.mark.parametrize(
    "question", ["Messages in my inbox", "Messages in my inbox?", "Which messages lie in inbox from"]
)
def test_a_folder_that_every_program_has_may_end_a_question(question: str) -> None:
    labels = [Named(31, "inbox", (), (), 70)]
    found = rules.plan(question, NameIndex(list(INDEX.people.values()), [], labels), AS_OF)
    assert found.plan is not None
    assert found.plan.filters == (Labels((31,)),)
