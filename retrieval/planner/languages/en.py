"""English."""

FUNCTION_WORDS = (
    "the of to and in that is was were for it with as his her on be at by i this had not are but from or have an "
    "they which you one all their there been if when who will no more out so what up about who whom how many much "
    "did does do me my list show name give find everyone people messages mails between"
)

# What a kind of file is called beside its kind: "a PDF document".
FILE_WORDS = "file files document documents image images picture pictures sheet sheets attachment attachments format"

STOPWORDS = (
    "bring brings brought coming included including account names calendar among a an the this that these those it "
    "its he she him her his they them their we us our you your and or of to in on "
    "at by for from with as is are was were be been being do does did done have has had having will would can could "
    "should shall may might must not no nor so than then there here out up down over under again further once all "
    "any each few more most other some such only own same too very just about into through during before after "
    "above below between both what which who whom whose when where why how if because until while off against one "
    "ones much many per s t re ll ve d don didn doesn isn wasn aren weren day days week weeks month months year "
    "years time times today now exactly really actually finally every come comes came back go goes going went gone "
    "take takes took taken get gets got getting give given someone somebody something anyone anything everything "
    "whole without within work worked say said says tell told ask asked want wanted make made let later long old "
    "new still even yet also us rather much lot way"
)

# Stopwords that change what is asked for where nothing was made of them: "long mails", "mails a week".
TELLING = (
    "before after until while than per day days week weeks year years hour hours new old long later earlier below "
    "above within left leave"
)

CUES = {
    "N:domain": "mail domain, mail domains, email domain, email domains, domain, domains",
    "V:start": "open, opened, opens, start, starts, started, begin, begins, began, begun, initiate, initiated",
    "V:belong": "belong to, belong, belongs to, belonged to, work for, works for, worked for",
    "WITHOUT": "without, without ever",
    "BYCOUNT": "by number of messages, by the number of messages, by number of mails, by number of emails, by "
    "message count, by volume, ordered by number of messages, by how many messages they sent, by how many messages",
    "Q:howmany": "state the number of, give the number of, tell the number of, the tally of, tally of, the count "
    "of, how many, what number of, the number of, number of, count, the total of, total number of, the total number "
    "of, total of",
    "Q:howoften": "how often, how many times, how frequently",
    "Q:who+V:send": "whose name is on, whose name stands on",
    "Q:who": "who, whos",
    "Q:whom": "whom",
    "Q:whose": "whose",
    "Q:which": "which, which ones, which one",
    "Q:what": "what",
    "Q:when": "when, on which day, on what day, on which date, on what date",
    "Q:content": "why, how, how much, how far, how long, how did, where, what about, in what way",
    "LIST": "give, i mean, find out, look at, have a look at, take a look at, list, show me, show, name, give me, "
    "find, find me, enumerate, tell me, display, get me, identify, return, rank, sort, order, take, pick, look up, "
    "fetch, search for, search, pull up, bring me, hand me, i m looking for, i am looking for, looking for, list "
    "them, show them, name them",
    "N:message": "messages fall, mails fall, messages dated, mails dated, mail dated, messages found, mails found, "
    "message, messages, mail, mails, email, emails, e mail, e mails, letter, letters, notes, something, anything, "
    "items, posts, postings, correspondence, everything, whatever, writings, mailings, copies, traffic, mail "
    "traffic, volume of mail",
    "N:person": "person, persons, people, everyone, everybody, anyone, anybody, someone, somebody, contacts, "
    "contact, individuals, individual, those, employees, employee, man, woman, folks, the one, the ones, staff, "
    "members, member, offices, guys",
    "N:sender": "sender, senders, writer, writers, authors, poster, posters, originator, senders of, author",
    "N:recipient": "recipient, recipients, addressee, addressees, receiver, receivers",
    "N:correspondent": "correspondent, correspondents, pen pal, pen pals",
    "N:outsider": "outsider, outsiders, external person, external people, externals",
    "N:address": "address, addresses, email address, email addresses, mail address, mail addresses",
    "N:org": "organisation, organisations, organization, organizations, company, companies, firm, firms, outfit, "
    "outfits",
    "N:thread": "conversation, conversations, thread, threads, discussion, discussions, email chain, chain",
    "N:month": "month, months, calendar month",
    "N:label": "folder, folders, label, labels, mail folder, mailbox folder",
    "N:attachment": "attachment, attachments, attached file, attached files, files, documents, attached documents",
    "V:send": "send, sends, sent, sending, write, writes, wrote, written, writing, mail to, mailed, emailed, e "
    "mailed, post, posted, compose, composed, originate, originated, came from, come from, comes from, stem from, "
    "stems from, originates from, originated from, is from, are from, was from, were from, contributed, address, "
    "addressed, addresses his mail, addresses her mail, direct, directed, posting, been posting, fired off, send "
    "out, sent out, sends out, sending out, authored, pen, penned, put out, posted by",
    "V:get": "receive, receives, received, receiving, get, gets, got, getting, gotten, hear, heard, hears",
    "V:mention": "mention, mentions, mentioned, mentioning, name the word, come up, comes up, came up, coming up, "
    "contain, contains, contained, containing, contain the word, contains the word, containing the word, containing "
    "the words, contain the words, contain the term, refer to, refers to, referring to, referred to, talk about, "
    "talks about, talked about, talking about, speak of, speaks of, speak about, discuss, discusses, discussed, "
    "discussing, concern, concerns, concerning, occur, occurs, occurred, appear, appears, appeared, include the "
    "word, use the word, with the word, with the words, bring up, brings up, brought up, bringing up, use the term, "
    "raise the topic of, talk of, talks of, talked of, turn up, turns up, turned up, crop up, crops up, cropped up, "
    "pop up, pops up, popped up, mentions of, mention of, feature, features, include, includes, including the word, "
    "spoke of, spoke about, speaks about, spoken of, talking of, touch on, touches on, cite, cites, cited, refer, "
    "is named, are named, contains the term",
    "V:go": "reach, reaches, reached, go, goes, went, going, go out, went out",
    "V:copy": "got copies of, got a copy of, received copies of, received a copy of, get copies of, receive copies "
    "of, gets copies of, was sent copies of, were sent copies of, copied, copy, cc, ccd, cced, cc d, copied on, "
    "copied in, copy in, put in copy, carbon copied, cc s",
    "V:reply": "reply, replied, respond, responds, responded, answer, answered, wrote back, write back",
    "V:file": "filed, file, stored, kept, keep, keeps, lie, lying, lies, sit, sits, sitting, saved",
    "V:active": "active",
    "V:take": "take part, takes part, took part, taken part, participate, participates, participated, involved, be "
    "involved, was involved, were involved, is involved, are involved, appear in, appeared in, took part in, take "
    "part in, taken part in, involve, involves, involving",
    "P:to": "to, in to, addressed to, into the hands of",
    "P:from": "from, out of, sent by, written by, coming from, that came from",
    "P:by": "by",
    "P:at": "at, of, in, under, on, inside, within, belonging to, working for, employed by, work at, with an "
    "address at, with addresses at, with an email address at, with an account at, whose address is at, works at, "
    "worked at, working at, who works at, who work at, during, for",
    "P:with": "with",
    "P:between": "between, among",
    "P:about": "about, on the subject of, regarding, on the topic of, related to, relating to",
    "P:cc": "in cc, in cc of, in copy to, on cc, with a copy to, with copy to, copying, with a cc to, cc to, ccing, "
    "on copy, in copy, on the cc line, on the copy line, as a copy, in the copy line",
    "ROLE:to": "the to line, the to line of, stand in the to line, stands in the to line, with their name in to, "
    "with his name in to, with her "
    "name in to, in the to line, in the to field, directly, direct",
    "ROLE:cc": "stand in the cc line, stands in the cc line, in the cc line, in the cc field, cc recipient, cc "
    "recipients, anyone in cc, anybody in cc, someone in cc, somebody in cc, copy recipients",
    "NEG": "not any more, not anymore, no longer, no more, never, not, nothing, didn t, did not, doesn t, does not, "
    "haven t, hasn t, wasn t, weren t, isn t, aren t, none, never once, no message, no messages, no mail, no mails, "
    "no email, no emails, nobody, no one, don t, hadn t, neither, nor, no, not one, not a single, not once, zero, "
    "nothing at all, never ever, cannot, aren, isn, wasn, weren, hasn, haven, hadn, doesn, didn, don, won",
    "BESIDES": "leave out, leaves out, besides, apart from, aside from, other than, except, except for, excluding, "
    "excepting, not counting, leaving aside, leaving out, without counting, ignoring, beside, leaving, leave, "
    "anything but, everything but, anything other than, all but, disregarding, barring, not including, omitting, "
    "minus, setting aside",
    "ASIDE": "aside, excepted, excluded, apart, don t count, doesn t count, do not count, does not count, left out, "
    "left aside, set aside, put aside, again left out, again left aside, again aside, not counted, not included",
    "OUTSIDE": "somewhere other than, anywhere other than, anywhere but, elsewhere than, somewhere outside, "
    "anywhere outside, anyone outside, outside, outside of, from outside, external to, beyond, not at, not working "
    "at, was not at, were not at, who are not at, who is not at, not employed by, non",
    "EXTERNAL": "external, foreign",
    "V:send+MOST": "produced the most, produced most, generated the most, generated most, account for the most, "
    "account for most, accounts for the most, accounts for most, accounted for the most, accounted for most",
    "MOST+N:recipient": "more recipients than any other, more recipients than any other message",
    "MOST+BESIDES": "more messages than anybody else but, more messages than anyone else but, more mail than "
    "anybody else but, more mail than anyone else but, more than anybody else but, more than anyone else but, most "
    "after",
    "MOST": "largest numbers of, the largest numbers of, more often than anybody else, more often than anyone else, "
    "stand most often, stands most often, most often stand, most often stands, more messages than anybody "
    "else, more messages than anyone else, more mail than anybody else, more mail than anyone else, most, most "
    "often, most frequently, most of all, more than anyone else, more than anybody else, top, largest number of, "
    "highest number of, greatest number of, biggest number of, mostly, more, more often, the most often, most mail",
    "MAIN": "main, chief, principal, busiest, most active, most frequent, most prolific, leading, biggest, largest, "
    "top, most regular, number one",
    "LONGEST": "longest",
    "FIRST": "first, earliest, oldest, very first, the very first, first ever",
    "LAST": "last, latest, most recent, newest, the last time, for the last time, most recently",
    "ATLEAST": "at least, no fewer than, no less than, minimum of, a minimum of, not fewer than, not less than",
    "MORETHAN": "more than, over, upwards of",
    "ORMORE": "or more, and more, or more often",
    "NUM:1": "one, a single, once",
    "NUM:2": "two, twice",
    "NUM:3": "three, three times",
    "NUM:4": "four",
    "NUM:5": "five",
    "NUM:6": "six",
    "NUM:7": "seven",
    "NUM:8": "eight",
    "NUM:9": "nine",
    "NUM:10": "ten",
    "NUM:12": "twelve, a dozen",
    "NUM:15": "fifteen",
    "NUM:20": "twenty",
    "BOTH": "both, either of, each of",
    "AND": "and then, then also, and, as well as, and also, together with, along with, plus",
    "OR": "or, either, and or",
    "BUT": "but, yet, and yet, although, though, while, whereas, but who, and who, but that, but which, and that, "
    "and which",
    "REL": "that",
    "OTHER": "other, others, another, else, other than their own, other than his own, other than her own, besides "
    "their own, except their own, besides his own, besides her own, not their own",
    "SAME": "same, the same, share, shared, common",
    "AUX:have": "fill, fills, filled, has, have, had, hold, holds, held, saw, sees, see",
    "AUX": "did, does, do, will, would, can, could, is, are, was, were, be, being",
    "BACKFORTH": "back and forth, exchanged, exchange, exchanging, pass between, passed between, go back and forth, "
    "went back and forth, passed, in both directions, either way, between them, each other",
    "TITLED": "titled, entitled, called, named, with the subject, with subject, with the title, subject, with the "
    "subject line, under the heading, with the heading, whose subject is, under the subject, under the title, "
    "headed, subject line, carry the subject, carries the subject, have the subject, has the subject, bear the "
    "subject, bear the title, whose title is, are titled, is titled, with the subject of",
    "INSUBJECT": "in the subject, in the subject line, in its subject, in their subject, in their subjects, in the "
    "title, whose subject contains, whose subjects contain, with subject containing, subject contains, with a "
    "subject containing, in subject lines, subject line contains",
    "WITHATTACH": "with attachments, with an attachment, with attached files, with an attached file, carrying an "
    "attachment, have attachments, have an attachment, had an attachment, had attachments, has an attachment, carry "
    "attachments, carried an attachment, with files attached, with a file attached, include an attachment, included "
    "an attachment",
    "ME": "i, me, mine",
    "MY": "my",
    "HE": "he, she, him, her, his, hers, they, them, their, that person, this person, said person, that sender, "
    "that author, that writer, that correspondent, that colleague, that man, that woman, the former, these people, "
    "those people, that one",
    "THATPERIOD": "that month, the same month, same month, that year, the same year, that week, the same week, "
    "then, that period, the same period, that day, that time, the same time",
    "OFTHOSE": "of those, of these, of them, among them, among those, among these, out of those, out of them",
    "THENAFTER": "after that, after that month, after that day, after that year, afterwards, after this, since "
    "then, thereafter, later on, from then on",
    "THENBEFORE": "any before, anything before, before that, before that month, before then, until then, up to then",
    "THENNEXT": "the following month, the next month, following month, the month after, the month after that",
    "NEG+THENAFTER": "never again, not again, no longer after that, never since",
    "NOBODYELSE": "and nobody else, and no one else, to nobody else, to no one else, nobody else, no one else, and "
    "to nobody else",
    "OWNFIRM": "our company, our own company, my company, my own company, our firm, our own firm, my firm, our "
    "organisation, our organization, my organisation, my organization, our own organisation, our own organization, "
    "my employer",
    "N:colleague": "colleagues, colleague, coworkers, coworker, co workers",
    "P:from+ME": "of mine, of my own",
    "P:from+HE": "of his own, of her own, of their own",
    "INADDITION": "in addition to",
    "BESIDES+ME": "not my own, not mine, but not my own, but not mine, my own "
    "excluded, my own aside, without my own, excluding mine, excluding my own, except mine, except my own",
    "FORWARD": "are forwards, is a forward",
    "V:send+FORWARD": "forward, forwarded, forwards, forwarding, pass on, passed on, passes on",
    "FIRSTTIME": "the first time, for the first time",
    "AUTOMATED": "automated, automatic, automatically generated, auto generated, machine generated, computer "
    "generated, system generated, generated by a machine, generated by machines, sent automatically, sent by "
    "machines, written by machines, from machines, from robots, from bots, by robots, by bots",
    "AUTOMATED+N:message": "newsletters, newsletter, notifications, notification, automatic replies, automatic "
    "reply, automated replies, auto replies, auto reply, autoreplies, autoreply, out of office replies, out of "
    "office messages, out of office notes, bulk mail, bulk mails, mass mail, mass mails, mass mailings, mailing "
    "list mail",
    "ANYBODY": "automatic ones included, automated ones included, including automatic ones, including automated "
    "ones, people or mailing programs, people or programs, persons or programs, people or lists, people and lists, "
    "people or machines, lists included, including lists, automated senders included, including automated senders",
    "BYHAND": "non automated, written by hand, hand written, handwritten, human written, from real people, by real "
    "people, from humans, by humans, written by people, written by a person, from actual people",
    "BYHAND+N:message": "real mail, real mails, real message, real messages, real email, real emails, genuine mail, "
    "genuine mails, genuine messages, genuine emails",
    "NEG+V:mention": "say nothing of, says nothing of, say nothing about, says nothing about, do not mention, does "
    "not mention, without mentioning, without a word about, not a word about, not a word of",
    "NEG+V:send": "kept silent, stayed silent, remained silent, was silent, were silent, fell silent, kept quiet, "
    "stayed quiet, went quiet, said nothing, has been silent, have been silent, no longer wrote, no longer write, "
    "no longer writes, stopped writing, ceased to write",
    "FILETYPE:word": "word document, word documents, word file, word files, word attachment, word attachments, ms word",
    "FILETYPE:excel": "excel, excel file, excel files, excel sheet, excel sheets, spreadsheet, spreadsheets, excel "
    "spreadsheet, excel spreadsheets, excel workbook",
    "FILETYPE:powerpoint": "powerpoint, powerpoints, power point, slide deck, slide decks, presentation slides",
    "FILETYPE:image": "picture, pictures, photo, photos, image file, image files, images, photograph, photographs",
    "ONLY": "nobody but, no one but, none but, nobody except, no one except, nobody other than, only, just, solely, "
    "exclusively",
    "ALONE": "alone, and no other recipient, with no other recipients, with no other recipient",
    "EXACTLY": "exactly, precisely",
    "EVERYMONTH": "every month, each month, every single month, each and every month",
    "SKIP": "going by date, whether as sender or as recipient, any more, that are in this mailbox, that are in the "
    "mailbox, that is in this mailbox, is enough, will "
    "do, is fine, several, numerous, a number of, a lot of, lots of, plenty of, that is to say, public mail "
    "providers, free mail providers, webmail providers, private mail providers, mail providers, public providers, "
    "carried, carry, carries, carrying, the, a, an, all, ever, also, different, distinct, any, there, mailbox, in "
    "the mailbox, to the mailbox, in my mailbox, to my mailbox, in this mailbox, the whole mailbox, over the whole "
    "mailbox, in the whole mailbox, whole, altogether, in total, overall, in all, please, really, actually, every, "
    "each, anywhere, own, them all, some, ones, s, t, complete, entire, at all, single, individual, in here, so "
    "far, did they, it, its, as, together, much, many, number, times, time, often, frequently, such, various, "
    "altogether there, individually, separate, unique, ever get, line, lines, field, copy of, in the archive, in "
    "this archive, in the whole archive, archive, we have, do we have, do i have, first name, could you, can you, "
    "would you, will you, you, i wonder, wonder, so, well, ok, okay, hello, hi, do you know, let me know, at some "
    "point, at any point, at any time, counted in messages, counted, on the list, to the list, to this list, on "
    "this list, here, us, we, our, in them, in it, to it, out there, on file, whatsoever, kindly, overall total, "
    "over the whole year, all year, all years, over the year, that is, is that, are there, are they, is it, thanks, "
    "thank you, full, as well, around, currently, over time, in all of this, from my mailbox, from the mailbox, "
    "with them, with it, to them all, to us, from us, with us, of what is, of what was, anywhere in the mailbox, of "
    "everything, of all mail, ours, our own, the names of, names of, the name of, at the same time, in either "
    "direction, both ways, whichever address he used, whichever address she used, whichever address they used, i d "
    "like to see, i would like to see, i want to see, i d like to know, i would like to know, i want to know, i "
    "need to know, i need, i want, i d like, i would like, arrived, arrive, arrives, came in, come in, what s the, "
    "looking at, looking only at, come to, comes to, "
    "amount to, amounts to, add up to, adds up to, first and last day included, both days included, both ends "
    "included, can be found, be found, to be found, in her mailbox, in his mailbox, in their mailbox, to her "
    "mailbox, to his mailbox",
    "THEWORD": "the word, the words, the term, the terms, word, words, term, terms, phrase, the phrase, the name",
    "ORD:2": "second, the second, second most, second place, runner up, the runner up, number two, next most",
    "ORD:3": "third, third most, third place",
    "P:bcc": "in bcc, bcc, bccd, bcc d, bcced, blind copied, blind copied to, in blind copy, on bcc, blind copy, "
    "with a blind copy to, as bcc",
    "ATTACHED": "attached, anything attached, something attached, file attached, files attached, attaching",
    "SHARE": "what share, share of, the share of, percentage, percent, proportion, fraction, ratio, on average, "
    "average, median, per day, per week, per month, per year, per person",
    "WHOEVER": "whoever, whomever, consider whoever",
    "N:list": "list called, list named, mailing list, the mailing list, mailing lists, distribution list",
    "N:reply": "an answer, answers, a reply, replies, a response, responses, an answer to, a reply to, replies to, "
    "answers to, responses to, an answer to anything, a reply to anything, in reply to, in response to, in answer "
    "to, replies to other messages, a reply to another message",
    "AUX:be": "been",
    "COUNTING": "counting, count only, only counting, only count, only counts",
    "V:put": "put, puts",
    "ANSWERED": "been answered, was answered, were answered, got an answer, got a reply, received a reply, been "
    "replied to, were replied to, was replied to",
    "SELF": "myself, himself, herself, themselves, yourself, ourselves",
    "LEAST": "fewest, least, the fewest, the least, least often, the least often, least frequently, rarest, "
    "quietest, slowest, smallest number of, lowest number of, fewer, less",
    "NEG+ANSWERED": "got no reply, got no answer, got no response, received no reply, received no answer, had no "
    "reply, never got a reply, never got an answer, never received a reply, never received an answer, unanswered, "
    "no reply, no answer, no response, without reply, without a reply, without an answer, without answer, without a "
    "response, not answered, never answered, not replied to",
    "Q:howmany+N:message": "how much mail, how much email, how much post, how much correspondence, how long is the "
    "thread, how long is the conversation, how long was the thread, how long was the conversation, how long is the "
    "discussion",
}

DATES = {
    "ALSO": "and, or, and early",
    "M:1": "january, jan",
    "M:2": "february, feb",
    "M:3": "march, mar",
    "M:4": "april, apr",
    "M:5": "may",
    "M:6": "june, jun",
    "M:7": "july, jul",
    "M:8": "august, aug",
    "M:9": "september, sept, sep",
    "M:10": "october, oct",
    "M:11": "november, nov",
    "M:12": "december, dec",
    "D:0": "monday, mon",
    "D:1": "tuesday, tue",
    "D:2": "wednesday, wed",
    "D:3": "thursday, thu",
    "D:4": "friday, fri",
    "D:5": "saturday",
    "D:6": "sunday",
    "S:3": "spring",
    "S:6": "summer",
    "S:9": "autumn, fall",
    "S:12": "winter",
    "H:christmas": "christmas, christmas day, xmas",
    "H:christmaseve": "christmas eve",
    "H:newyear": "new year, new years day, new year s day, new years",
    "H:newyearseve": "new years eve, new year s eve",
    "H:easter": "easter, easter sunday",
    "H:thanksgiving": "thanksgiving, thanksgiving day",
    "H:halloween": "halloween",
    "H:independence": "independence day, fourth of july, 4th of july",
    "H:valentine": "valentines day, valentine s day",
    "H:labor": "labor day, labour day",
    "U:day": "day, days",
    "U:week": "week, weeks",
    "U:month": "month, months",
    "U:quarter": "quarter, quarters",
    "U:half": "half",
    "U:year": "year, years",
    "U:weekend": "weekend",
    "THIS": "this, the current, current",
    "PAST": "last, past, previous, the last, the past, the previous",
    "NEXT": "next, the next, the following",
    "AGO": "ago",
    "TODAY": "today",
    "YESTERDAY": "yesterday",
    "SINCE": "since, from, starting in, starting, beginning in, as from",
    "UNTIL": "until, till, up to, by the end of, to the end of, until the end of, through the end of",
    "BEFORE": "before, prior to, earlier than",
    "AFTER": "after, later than, following",
    "BETWEEN": "between",
    "AND": "and, or, to, through, until, till, up to, and early, thru",
    "FROM": "from",
    "ON": "on, onwards, onward, forward, on and after, and later, or later, and after",
    "EARLY": "early, early in, beginning of, the beginning of, start of, the start of, at the beginning of",
    "MID": "mid, middle of, the middle of",
    "LATE": "late, late in, end of, the end of, at the end of",
    "O:1": "first",
    "O:2": "second",
    "O:3": "third",
    "O:4": "fourth",
    "O:-1": "last, final",
    "THE": "the, of, in, on, for, s, day of, month of, year",
    "IN": "in, of, neither, nor, either, during, for, year, since, until, till, before, after, by, from, over, "
    "throughout, and, to",
    "ASOF": "as of",
    "NUM:1": "a, one",
    "NUM:2": "two, couple of, a couple of",
    "NUM:3": "three",
    "NUM:4": "four",
    "NUM:5": "five",
    "NUM:6": "six",
    "NUM:10": "ten",
}
