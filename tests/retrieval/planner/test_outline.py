"""The same question in other words, other orders and other languages becomes the same plan."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from graph.plan import (
    AnsweredBy,
    Answers,
    Between,
    Domains,
    FirstInThread,
    HasAttachment,
    Kind,
    Mentions,
    Organizations,
    People,
    Period,
    Plan,
    RecipientCount,
    Subject,
    Threads,
    Weekdays,
)
from retrieval.planner import rules
from tests.retrieval.people import ANA_R, ANA_T, HARBOUR, LEE, MARTA, OWN, PAUL, QUAY, index
from tests.retrieval.planner.test_rules import unordered
from tests.shared import shared_data

INDEX = index()
AS_OF = date(2022, 2, 28)
MAY, JUNE = Period(date(2021, 5, 1), date(2021, 6, 1)), Period(date(2021, 6, 1), date(2021, 7, 1))
FROM_PAUL, TO_MARTA = People("sender", (PAUL,)), People("recipient", (MARTA,))
YEAR = Period(date(2021, 1, 1), date(2022, 1, 1))
TO_PAUL = People("recipient", (PAUL,))
NOBODY_ELSE = RecipientCount("recipient", 1, 1)
AUTOMATED = Kind(("automated",))
FROM_MARTA, TO_LEE = People("sender", (MARTA,)), People("recipient", (LEE,))
QUESTIONS = Path(__file__).parents[3] / "ui" / "demo" / "questions.jsonl"


def people(role: str, *filters: object, **more: object) -> Plan:
    return Plan("people", role=role, filters=filters, **more)  # type: ignore[arg-type]


WRITER = people("sender", TO_MARTA, MAY, exclude_people=(MARTA,), order_by="count", limit=1)

SAME = [
    # a count
    (
        ["mails from paul in may 2021?", "how many notes of May 2021 were written by Paul", "Paul's mails of May 2021: how many?",
         "Number of messages Paul sent in May 2021", "Wie oft hat Paul Ndiaye im Mai 2021 geschrieben?",
         "¿Cuántos correos mandó Paul Ndiaye en mayo de 2021?", "Combien de courriels Paul Ndiaye a-t-il envoyés en mai 2021 ?"],
        Plan(filters=(FROM_PAUL, MAY)),
    ),
    (
        ["how many mails has Lee Okafor been sent?", "How many messages did Lee Okafor get?",
         "Wie viele Mails hat Lee Okafor bekommen?"],
        Plan(filters=(TO_LEE,)),
    ),
    (
        ["mails between Paul and Lee Okafor", "all correspondence of Lee Okafor with Paul, please",
         "Show the messages between Lee Okafor and Paul"],
        Plan(filters=(Between((PAUL,), (LEE,)),)),
    ),
    # restrictions
    (["which mails did Paul write on a weekend", "Paul's messages of Saturdays and Sundays"],
     Plan(filters=(FROM_PAUL, Weekdays((5, 6))))),
    (["Which of my own mails had a pdf with them?", "list the messages I sent with a .pdf file"],
     Plan(filters=(FROM_MARTA, HasAttachment("pdf")))),
    (["Which mails by Paul are replies to another message?", "messages from Paul that are answers",
      "¿Qué mensajes de Paul son respuestas a otro mensaje?"], Plan(filters=(FROM_PAUL, Answers()))),
    (["Show me whatever mentions rivets", "in which messages do rivets come up", "messages where rivets are mentioned",
      "Zeig mir alle Nachrichten, in denen von rivets die Rede ist"], Plan(filters=(Mentions(("rivets",)),))),
    # what is denied
    (["Messages from Paul without an attachment", "which mails from Paul had nothing attached",
      "¿Qué mensajes de Paul no tienen adjuntos?", "Welche Nachrichten von Paul haben keinen Anhang?"],
     Plan(filters=(FROM_PAUL,), not_filters=(HasAttachment(),))),
    (["Messages from Paul on which Lee Okafor was not in copy"],
     Plan(filters=(FROM_PAUL,), not_filters=(People("cc", (LEE,)),))),
    (["Which of Paul's mails were never answered?", "mails from Paul that got no reply"],
     Plan(filters=(FROM_PAUL,), not_filters=(AnsweredBy(),))),
    (["months without any mail by Paul", "In which months was there nothing from Paul?",
      "Dans quels mois Paul n'a-t-il rien écrit ?"],
     Plan("months", without=(Plan("months", filters=(FROM_PAUL,)),))),
    (["Who wrote in May 2021 but not in June 2021?", "Wer hat im Mai 2021 etwas geschrieben, im Juni 2021 aber gar nichts?",
      "¿Quién escribió en mayo de 2021 pero no en junio de 2021?"],
     people("sender", MAY, without=(people("sender", JUNE),))),
    (["Who at quay.example have I never written to?", "Which quay.example people never got a mail from me?"],
     people("participant", only_organizations=(QUAY,), exclude_people=(MARTA,),
            without=(people("recipient", FROM_MARTA),))),
    # ranks
    (["Who sent me the most mail in May 2021?", "in May 2021, who wrote to me most often?",
      "Wer hat mir im Mai 2021 am häufigsten geschrieben?", "Qui m'a écrit le plus en mai 2021 ?"], WRITER),
    (["Paul or Lee Okafor: which of the two has written more?", "who wrote more, Paul or Lee Okafor?",
      "Between Paul and Lee Okafor, who sent more mails?"],
     people("sender", order_by="count", limit=1, within=((PAUL, LEE),))),
    (["Who wrote most at quay.example, and who was the runner-up?", "top two senders at quay.example"],
     people("sender", only_organizations=(QUAY,), order_by="count", limit=2)),
    (["in what month did I write the fewest mails?"],
     Plan("months", filters=(FROM_MARTA,), order_by="count", descending=False, limit=1)),
    # people who are described
    (["How many messages has the sender of plan-a.pdf written?", "How many mails did whoever sent plan-a.pdf write?",
      "Wie viele Nachrichten hat die Person geschrieben, die plan-a.pdf geschickt hat?"],
     Plan(filters=(People("sender", people("sender", HasAttachment(name="plan-a.pdf"))),))),
    (["Take the person who wrote to me most in May 2021. In which months did that person write?",
      "In which months did the person who wrote to me most in May 2021 write?"],
     Plan("months", filters=(People("sender", WRITER),))),
    (["Which people wrote both in 'Bridge steel' and in 'Bridge money'?"],
     people("sender", Subject("Bridge steel"), within=(people("sender", Subject("Bridge money")),))),
    (["how many messages has the person who started 'Bridge steel' sent in total?"],
     Plan(filters=(People("sender", people("sender", Subject("Bridge steel"), FirstInThread())),))),
    (["Who of those who wrote from quay.example sent nothing in May 2021?",
      "Of the people who wrote from quay.example, who sent nothing in May 2021?"],
     people("participant", within=(people("sender", only_organizations=(QUAY,)),), without=(people("sender", MAY),))),
    (["Who began 'Bridge steel', and in which months did that person write?"],
     Plan("months", filters=(People("sender", people("sender", Subject("Bridge steel"), FirstInThread())),))),
    (["Whose message was the first with the word rivets?", "Who was first to mention rivets?",
      "¿Quién fue el primero en mencionar rivets?"],
     people("sender", Mentions(("rivets",)), order_by="date", descending=False, limit=1)),
    (["How long is the thread 'Bridge steel', in messages?", "how many messages are in the conversation 'Bridge steel'"],
     Plan(filters=(Subject("Bridge steel"),))),
    # what is said to be all, or every one
    (["Who wrote only in May 2021?", "Who only wrote in May 2021?", "Wer hat nur im Mai 2021 geschrieben?",
      "¿Quién escribió solo en mayo de 2021?", "Who wrote in May 2021 only?"],
     people("sender", MAY, without=(Plan("people", role="sender", not_filters=(MAY,)),))),
    (["Who wrote only to Lee Okafor?"],
     people("sender", TO_LEE, exclude_people=(LEE,), without=(Plan("people", role="sender", not_filters=(TO_LEE,)),))),
    (["Who wrote in every month from May to June 2021?", "Wer hat in jedem Monat von Mai bis Juni 2021 geschrieben?",
      "Qui a écrit chaque mois de mai à juin 2021 ?"],
     people("sender", MAY, within=(people("sender", JUNE),))),
    (["Just show me the messages from Paul in May 2021"], Plan(filters=(FROM_PAUL, MAY))),
    # neither, nor, not any more
    (["Who wrote neither in May nor in June 2021?", "Wer hat weder im Mai noch im Juni 2021 geschrieben?"],
     people("participant", without=(people("sender", MAY), people("sender", JUNE)))),
    (["Who at quay.example wrote in May 2021 and then not any more in June 2021?"],
     people("sender", MAY, only_organizations=(QUAY,), without=(people("sender", JUNE),))),
    (["who at quay.example kept silent in may 2021?", "Which people at quay.example have not written anything in May 2021?",
      "wer bei quay.example schwieg im Mai 2021?"],
     people("participant", only_organizations=(QUAY,), without=(people("sender", MAY),))),
    # whom one answers wrote what is answered
    (["Whom did Paul reply to in May 2021?", "Wem hat Paul Ndiaye im Mai 2021 geantwortet?",
      "À qui Paul a-t-il répondu en mai 2021 ?"],
     people("sender", AnsweredBy(Plan(filters=(FROM_PAUL, MAY))), exclude_people=(PAUL,))),
    (["Who wrote exactly two messages in May 2021?", "Wer hat im Mai 2021 genau zwei Nachrichten geschrieben?"],
     people("sender", MAY, at_least=2, at_most=2)),
    (["Who wrote to Lee Okafor only once?"],
     people("sender", TO_LEE, exclude_people=(LEE,), at_least=1, at_most=1)),
    # answers that are denied, and those who answered several
    (["Which of Paul's mails got no reply from anybody?", "Show me the mails of Paul nobody ever answered."],
     Plan(filters=(FROM_PAUL,), not_filters=(AnsweredBy(),))),
    (["Which people have answered both Paul and Lee Okafor?"],
     people("sender", Answers(Plan(filters=(FROM_PAUL,))), exclude_people=(PAUL, LEE),
            within=(people("sender", Answers(Plan(filters=(People("sender", (LEE,)),)))),))),
    # an address at a provider belongs to no organisation
    (["How many mails came in from freemail.example addresses in May 2021?", "messages from freemail.example in May 2021"],
     Plan(filters=(MAY, Domains("sender", ("freemail.example",))))),
    # what programs sent
    (["How many automated messages came in May 2021?", "number of newsletters of May 2021",
      "Wie viele automatische Nachrichten kamen im Mai 2021?", "Combien de newsletters sont arrivées en mai 2021 ?",
      "¿Cuántos mensajes automáticos llegaron en mayo de 2021?"],
     Plan(filters=(AUTOMATED, MAY))),
    (["How many messages came in May 2021 without newsletters?", "How many messages of May 2021 were not automated?",
      "Real mail only, please: how many messages came in May 2021?",
      "How many messages came in May 2021, not counting newsletters and notifications?",
      "Wie viele Mails kamen im Mai 2021, ohne Newsletter?", "Combien de vrais messages en mai 2021 ?",
      "¿Cuántos correos hay de mayo de 2021 sin contar las notificaciones?"],
     Plan(filters=(MAY,), not_filters=(AUTOMATED,))),
    (["Who wrote to me most in May 2021, newsletters aside?"],
     people("sender", TO_MARTA, MAY, not_filters=(AUTOMATED,), exclude_people=(MARTA,), order_by="count", limit=1)),
    (["Which months had no newsletters?"], Plan("months", without=(Plan("months", filters=(AUTOMATED,)),))),
    (["How many messages mention newsletters?"], Plan(filters=(Mentions(("newsletters",)),))),
    # copies to nobody in particular
    (["Which of Paul's mails have no one in Cc?", "mails from Paul without recipients in Cc",
      "Which mails from Paul had nobody copied?", "Welche Mails von Paul Ndiaye sind ohne CC?",
      "Welche Mails von Paul Ndiaye haben niemanden in Kopie?", "Quels messages de Paul Ndiaye sont sans copie ?",
      "Quels messages de Paul Ndiaye n'ont personne en copie ?", "¿Qué mensajes de Paul Ndiaye no tienen a nadie en copia?",
      "mensajes de Paul Ndiaye sin copia"],
     Plan(filters=(FROM_PAUL,), not_filters=(People("cc", Plan("people", role="cc")),))),
    (["How many mails from Paul have somebody in Bcc?"],
     Plan(filters=(FROM_PAUL, People("bcc", Plan("people", role="bcc"))))),
    (["In which folder is the most mail?", "Welcher Ordner hat die meisten Mails?"],
     Plan("labels", order_by="count", limit=1)),
    (["Who wrote to me for the first time in May 2021?", "Qui m'a écrit pour la première fois en mai 2021 ?",
      "¿Quién me escribió por primera vez en mayo de 2021?"],
     people("sender", TO_MARTA, MAY, exclude_people=(MARTA,),
            without=(people("sender", TO_MARTA, Period(None, date(2021, 5, 1))),))),
    # several sentences
    (["I wrote with Paul in May 2021. How many of those had attachments?",
      "Ich habe im Mai 2021 mit Paul Ndiaye geschrieben. Wie viele davon hatten einen Anhang?"],
     Plan(filters=(Between((MARTA,), (PAUL,)), MAY, HasAttachment()))),
    (["Paul wrote mails in May 2021. How many of them had attachments?",
      "Paul Ndiaye a écrit des messages en mai 2021. Combien d'entre eux ont une pièce jointe ?",
      "Paul Ndiaye escribió correos en mayo de 2021. ¿Cuántos de ellos tienen adjuntos?"],
     Plan(filters=(FROM_PAUL, MAY, HasAttachment()))),
    (["Paul wrote some mails in May 2021 that never got an answer. Which?"],
     Plan(filters=(FROM_PAUL, MAY), not_filters=(AnsweredBy(),))),
    (["Paul answered several people. Which of them wrote to Lee Okafor?"],
     people("sender", TO_LEE, exclude_people=(LEE,),
            within=(people("sender", AnsweredBy(Plan(filters=(FROM_PAUL,))), exclude_people=(PAUL,)),))),
    (["Somebody opened the conversation 'Bridge steel'. How many of their mails are of May 2021?"],
     Plan(filters=(MAY, People("sender", people("sender", Subject("Bridge steel"), FirstInThread()))))),
    (["One colleague at quay.example wrote most in May 2021. To whom did that colleague write?"],
     people("recipient", People("sender", people("sender", MAY, only_organizations=(QUAY,), order_by="count", limit=1)))),
    # months, and what comes after one
    (["months of 2021 without mail from Paul", "les mois de 2021 sans message de Paul Ndiaye",
      "Quels sont les mois de 2021 sans aucun message de Paul Ndiaye ?", "los meses de 2021 sin correos de Paul Ndiaye",
      "Welche Monate 2021 sind ohne Mail von Paul Ndiaye?"],
     Plan("months", filters=(YEAR,), without=(Plan("months", filters=(FROM_PAUL,)),))),
    (["Les mois où Paul Ndiaye n'a pas écrit en 2021",
      "When did Paul not write in 2021? I mean the months.", "meses sin correos de Paul Ndiaye en 2021"],
     Plan("months", filters=(YEAR,), without=(Plan("months", filters=(FROM_PAUL, YEAR)),))),
    (["Who got mail from Paul in May 2021 and never again after that month?",
      "Wer hat im Mai 2021 Post von Paul Ndiaye bekommen und danach nie wieder?"],
     people("recipient", FROM_PAUL, MAY, exclude_people=(PAUL,),
            without=(people("recipient", FROM_PAUL, Period(date(2021, 6, 1), None)),))),
    # nobody else, nobody left out
    (["How many mails did Paul send only to Lee Okafor?", "mails from Paul to Lee Okafor and nobody else", "Which of Paul's mails went to nobody but Lee Okafor?",
      "Welche Mails gingen von Paul Ndiaye nur an Lee Okafor, an niemanden sonst?",
      "mensajes de Paul Ndiaye a Lee Okafor y a nadie más"],
     Plan(filters=(FROM_PAUL, TO_LEE, NOBODY_ELSE))),
    (["mails from Paul where Lee Okafor was left out", "mails from Paul without Lee Okafor getting them",
      "Welche Mails hat Paul Ndiaye geschickt, ohne dass Lee Okafor sie bekam?"],
     Plan(filters=(FROM_PAUL,), not_filters=(TO_LEE,))),
    (["Which people at quay.example did Paul write to?"],
     people("recipient", FROM_PAUL, exclude_people=(PAUL,), only_organizations=(QUAY,))),
    (["Who has put Lee Okafor in copy?", "¿Quién ha puesto a Lee Okafor en copia?", "Qui a mis Lee Okafor en copie ?"],
     people("sender", People("cc", (LEE,)), exclude_people=(LEE,))),
    # answered by somebody
    (["Which mails did Paul answer?", "mails that Paul replied to", "Which mails were answered by Paul?",
      "Welche Mails hat Paul Ndiaye beantwortet?", "À quels messages Paul Ndiaye a-t-il répondu ?"],
     Plan(filters=(AnsweredBy(Plan(filters=(FROM_PAUL,))),))),
    (["Which mails from Paul have I never answered?", "Welche Mails von Paul Ndiaye habe ich nicht beantwortet?",
      "¿Qué correos de Paul Ndiaye no he respondido?", "Which mails did I get from Paul and never answered?"],
     Plan(filters=(FROM_PAUL, TO_MARTA), not_filters=(AnsweredBy(Plan(filters=(FROM_MARTA,))),))),
    (["How many of the mails I sent to Paul were answered by him?"],
     Plan(filters=(FROM_MARTA, TO_PAUL, AnsweredBy(Plan(filters=(FROM_PAUL,)))))),
    (["Who answers my mails most often?"],
     people("sender", Answers(Plan(filters=(FROM_MARTA,))), exclude_people=(MARTA,), order_by="count", limit=1)),
    (["Whose mails do I answer most often?", "Whom do I answer most often?"],
     people("sender", AnsweredBy(Plan(filters=(FROM_MARTA,))), exclude_people=(MARTA,), order_by="count", limit=1)),
    (["Who never answered me?"],
     people("recipient", FROM_MARTA, exclude_people=(MARTA,),
            without=(people("sender", Answers(Plan(filters=(FROM_MARTA,)))),))),
    # several periods
    (["How many messages did Paul send in May, June and August 2021?", "mails from Paul of May, June or August 2021"],
     Plan(filters=(FROM_PAUL, Period(date(2021, 5, 1), date(2021, 9, 1))),
          not_filters=(Period(date(2021, 7, 1), date(2021, 8, 1)),))),
    (["mails from Paul of 5 May 2021 or 7 May 2021", "Mails von Paul Ndiaye vom 5. und 7. Mai 2021"],
     Plan(filters=(FROM_PAUL, Period(date(2021, 5, 5), date(2021, 5, 8))),
          not_filters=(Period(date(2021, 5, 6), date(2021, 5, 7)),))),
    (["mails from Paul between 5 and 7 May 2021"], Plan(filters=(FROM_PAUL, Period(date(2021, 5, 5), date(2021, 5, 8))))),
    # one of two
    (["How many mails did Paul write to me or to Lee Okafor?"],
     Plan(filters=(FROM_PAUL, People("recipient", (MARTA, LEE))))),
    (["Did more of my mail go to Paul or to Lee Okafor?"],
     people("recipient", FROM_MARTA, exclude_people=(MARTA,), order_by="count", limit=1, within=((PAUL, LEE),))),
    (["quay.example or harbour.example: which of the two sent more mail?"],
     Plan("organizations", role="sender", order_by="count", limit=1, within=((QUAY, HARBOUR),))),
    # the owner's organisation
    (["How many messages did people at our company send in May 2021?",
      "Wie viele Nachrichten hat unsere Firma im Mai 2021 geschickt?"],
     Plan(filters=(MAY, Organizations("sender", (OWN,))))),
    (["Which of my colleagues wrote most in May 2021?"],
     people("sender", MAY, only_organizations=(OWN,), order_by="count", limit=1)),
    # messages that are left out
    (["mails from Paul apart from those of May 2021", "mails from Paul, May 2021 excluded",
      "Quels messages de Paul Ndiaye à l'exception de ceux de mai 2021 ?", "mensajes de Paul Ndiaye sin contar los de mayo de 2021",
      "Mails von Paul Ndiaye abgesehen von denen vom Mai 2021"],
     Plan(filters=(FROM_PAUL,), not_filters=(MAY,))),
    (["How many mails came in May 2021, not counting those from Paul?"], Plan(filters=(MAY,), not_filters=(FROM_PAUL,))),
    (["mails from Paul except for mails with attachments"], Plan(filters=(FROM_PAUL,), not_filters=(HasAttachment(),))),
    # families of files, addresses
    (["which messages from Paul carried a Word document?", "Paul's messages with a Word file",
      "Welche Nachrichten von Paul hatten ein Word-Dokument?"],
     Plan(filters=(FROM_PAUL, HasAttachment("word")))),
    (["Who sent the most PDF files?", "Wer hat die meisten PDF-Dateien geschickt?"],
     people("sender", HasAttachment("pdf"), order_by="count", limit=1)),
    (["the three most prolific writers with a quay.example address"],
     people("sender", only_organizations=(QUAY,), order_by="count", limit=3)),
    (["How many messages came from somewhere other than quay.example in May 2021?",
      "How many messages were sent from outside quay.example in May 2021?"],
     Plan(filters=(MAY,), not_filters=(Organizations("sender", (QUAY,)),))),
    (["When did the person with the most mails in May 2021 write? Give me the months of 2021."],
     Plan("months", filters=(People("sender", people("sender", MAY, order_by="count", limit=1)),
                             Period(date(2021, 1, 1), date(2022, 1, 1))))),
    (["Who wrote both in May and in June 2021?", "Wer hat sowohl im Mai als auch im Juni 2021 geschrieben?"],
     people("sender", MAY, within=(people("sender", JUNE),))),
    (["Who has written to both Anas?"],
     people("sender", People("recipient", (ANA_T,)), exclude_people=(ANA_T, ANA_R),
            within=(people("sender", People("recipient", (ANA_R,))),))),
    (["the longest conversation - how many messages has it got?"],
     Plan(filters=(Threads(Plan("threads", order_by="count", limit=1)),))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "plan"), [(q, plan) for questions, plan in SAME for q in questions], ids=lambda v: str(v)[:70]
)
def test_a_question_means_the_same_in_other_words(question: str, plan: Plan) -> None:
    found = rules.plan(question, INDEX, AS_OF)
    assert found.plan is not None, found.reason
    assert found.sure, found.reason
    assert _sides_sorted(found.plan) == _sides_sorted(plan)


def _sides_sorted(plan: Plan) -> object:
    """Between two sides there is no order."""
    sides = [f for f in plan.filters if isinstance(f, Between)]
    if len(sides) == 1 == len(plan.filters):
        return sorted((sides[0].a, sides[0].b)), sides[0].role
    within = tuple(tuple(sorted(w)) if isinstance(w, tuple) else w for w in plan.within)
    return unordered(Plan(**{**plan.__dict__, "within": within}))


def test_people_are_persons_but_not_in_what_is_taken_away() -> None:
    found = rules.plan("Who at quay.example have I never written to?", INDEX, AS_OF).plan
    assert found is not None
    assert found.persons
    assert isinstance(found.without[0], Plan)
    assert not found.without[0].persons


def test_whoever_sends_automated_mail_need_be_no_person() -> None:
    found = rules.plan("Who sends the most newsletters?", INDEX, AS_OF).plan
    assert found is not None
    assert found.filters == (AUTOMATED,)
    assert not found.persons


def test_an_unknown_word_in_a_count_keeps_the_plan_and_lowers_its_certainty() -> None:
    found = rules.plan("How many yellowish messages did Ana of Quay send in May 2021?", INDEX, AS_OF)
    assert found.intent == "count"
    assert not found.sure
    assert "yellowish" in found.reason
    assert found.plan == Plan(filters=(MAY, People("sender", (ANA_T,))))


def test_an_organisation_that_was_written_from_is_no_condition_on_people() -> None:
    found = rules.plan("How many messages did people at Quay Partners (quay.example) send?", INDEX, AS_OF)
    assert found.plan == Plan(filters=(Organizations("sender", (QUAY,)),))


@pytest.mark.parametrize(
    "question",
    [
        "Who signed the contract with Paul in May 2021?",
        "Who is responsible for invoices at quay.example?",
        "How many rivets did Paul order in June 2021?",
        "Which month was the load test planned for?",
        "Which of the applicants said yes to our offer?",
        "What did Paul write to me about the ferry?",
        "How often did the promised arrival of the steel slip?",
        "Wer musste bestätigen, dass das Material da ist?",
        "¿Qué vehículo pasó por el tramo cerrado?",
    ],
)
def test_a_question_about_what_was_said_gets_no_fact(question: str) -> None:
    assert rules.plan(question, INDEX, AS_OF).intent == "content"


def test_questions_of_the_demo_about_what_was_said_get_no_fact() -> None:
    questions = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    said = [q["question"] for q in questions if q["value_type"] is None]
    assert len(said) > 20
    assert [q for q in said if rules.plan(q, INDEX, AS_OF).intent != "content"] == []


def test_questions_of_a_real_mailbox_about_what_was_said_get_no_fact() -> None:
    file = shared_data() / "questions" / "kitchen-l.jsonl"
    questions = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    said = [q["question"] for q in questions if q["value_type"] is None]
    assert len(said) > 20
    assert [q for q in said if rules.plan(q, INDEX, AS_OF).intent != "content"] == []


def test_a_denial_of_which_nothing_was_understood_is_not_passed_over() -> None:
    assert not rules.plan("Which of Paul's mails were not urgent?", INDEX, AS_OF).sure
