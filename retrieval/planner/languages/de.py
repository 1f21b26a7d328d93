"""German."""

FUNCTION_WORDS = (
    "der die das den dem des und ist sind war waren wurde wurden hat haben hatte habe ich mir mich mein meine von "
    "an zu zum zur mit im in auf aus bei uber fur wer wem wen was wann wie welche welcher welches welchen "
    "wieviele viele nicht nie kein keine ein eine einen am meisten haufigsten zeige liste alle nachrichten mails "
    "personen zwischen nach auch"
)

# What a kind of file is called beside its kind: "a PDF document".
FILE_WORDS = "datei dateien dokument dokumente bild bilder bilddatei bilddateien tabelle tabellen anhang anhänge format"

STOPWORDS = (
    "der die das den dem des ein eine einer eines einem einen und oder aber nicht ist sind war waren wird werden "
    "wurde wurden hat haben hatte hatten bin bist sein ihr ihre ihren ihm ihn er sie es wir uns unser unsere euch "
    "man ich mir mich mein meine du dich dir zu zum zur von vom mit im in ins auf aus bei beim nach fur uber "
    "unter vor durch gegen ohne um an am als wie wer wem wen was wann wo warum wieso welche welcher welches "
    "welchen welchem dass wenn weil auch noch nur schon so sehr da dort hier bis seit wahrend sich selbst viel "
    "viele tag tage tagen woche wochen monat monate monaten jahr jahre jahren zeit heute jetzt genau wirklich "
    "eigentlich jede jeder jedes kommen kommt kam gehen geht ging machen macht gemacht jemand etwas alles ganz "
    "sagen sagte gesagt neu neue alt alte"
)

# Stopwords that change what is asked for where nothing was made of them: "long mails", "mails a week".
TELLING = "bevor vor nach bis während seit pro je tag tage tagen woche wochen jahr jahre jahren neu neue alt alte"

CUES = {
    "N:domain": "domain, domains, maildomains, domänen",
    "BYCOUNT": "nach anzahl der nachrichten, nach zahl der nachrichten",
    "V:belong": "gehören, gehört, gehören zu",
    "V:start": "begann, begonnen, begannen, gestartet, eröffnet, eröffnete",
    "WITHOUT": "ohne",
    "Q:howmany": "wie viele, wie vielen, wieviele, wievielen, wie viel, anzahl der, anzahl von, die anzahl der, zähle",
    "Q:howoften": "wie oft, wie häufig",
    "Q:who": "wer",
    "Q:whom": "wem, wen",
    "Q:whose": "wessen",
    "Q:which": "welche, welcher, welches, welchen, welchem",
    "Q:what": "was",
    "Q:when": "wann, an welchem tag",
    "Q:content": "warum, wieso, weshalb, wie, wo, wie teuer, wie hoch, worüber, worum",
    "LIST": "zeige mir, zeige, zeig mir, zeig, liste, nenne, nenne mir, nenn mir, finde, gib mir, suche, "
    "such mir, such, gib, liste auf, liste mir, nimm, zähl, zähle auf, welche mails gibt es",
    "N:message": "nachricht, nachrichten, mail, mails, e mail, e mails, email, emails, brief, briefe, post, "
    "korrespondenz, beiträge, beitrag, zuschriften, alles, was auch immer, antwortmails",
    "N:person": "person, personen, leute, leuten, menschen, jeden, alle die, diejenigen, kontakte, "
    "jemand, mitarbeiter, derjenigen, jemanden, jemandem, mensch, "
    "mitglieder, alle auf, jeden auf, alle leute, alle, allen",
    "N:sender": "absender, absenderin, verfasser, autor, autoren, schreiber, absenders, absenderinnen, "
    "verfasserin, verfassers, autorin, schreiberin",
    "N:recipient": "empfänger, empfängern, adressaten",
    "N:correspondent": "korrespondenzpartner, briefpartner, korrespondenten",
    "N:outsider": "außenstehende, außenstehender, externer",
    "N:address": "adresse, adressen, mailadressen, e mail adressen",
    "N:org": "organisation, organisationen, firma, firmen, unternehmen",
    "N:thread": "unterhaltung, unterhaltungen, konversation, konversationen, gespräch, gespräche, gesprächen, "
    "mailverlauf, thread, threads, diskussion",
    "N:month": "monat, monate, monaten",
    "N:label": "ordner, ordnern, label, labels, mailordner",
    "N:attachment": "anhang, anhänge, anhängen, anlagen, datei, dateien, dokumente",
    "V:send": "schrieb, schrieben, schreibt, schreiben an, geschrieben, schickte, schickten, schickt, "
    "geschickt, sandte, sandten, gesandt, sendete, sendeten, gesendet, verschickte, verschickten, "
    "verschickt, verfasste, verfasst, kam von, kamen von, stammt von, stammen von, stammten von, "
    "mailte, gemailt, angeschrieben, abgeschickt, losgeschickt, zugeschickt, zugesandt, schreiben, "
    "adressiert, gerichtet, stammt, stammen, gepostet, postete, posteten",
    "V:get": "bekam, bekamen, bekommen, bekommt, erhielt, erhielten, erhalten, empfing, empfingen, empfangen, kriegte",
    "V:mention": "erwähnt, erwähnen, erwähnte, erwähnten, enthalten, enthält, handeln von, handelt von, vor, "
    "vorkommt, vorkommen, nennt, nennen, auftaucht, ist die rede von, mit dem wort, die rede ist, "
    "die rede, rede, erwähnt wird, erwähnt werden, kommt vor, genannt, genannt wird, auftauchen, "
    "taucht auf, fällt, steht, stehen, handelt, handeln, sprechen von, spricht von, geht es um, "
    "es um, geht um, thematisieren",
    "V:go": "ging, gingen, gegangen, geht, gehen",
    "V:copy": "in kopie gesetzt, kopiert",
    "V:reply": "antwortete, antworteten, geantwortet, beantwortet, antwortet, antworteten auf, beantworteten, "
    "zurückgeschrieben",
    "V:file": "abgelegt, liegen, liegt, gespeichert",
    "V:active": "aktiv, aktivsten",
    "V:take": "beteiligt, teilgenommen, teilnahm, teilnahmen",
    "P:to": "an",
    "P:from": "von, vom, aus",
    "P:by": "durch",
    "P:at": "bei, beim, in, im, ins, der firma, des ordners, in dem, auf, unter, während",
    "P:with": "mit",
    "P:between": "zwischen",
    "P:about": "über, zum thema, betreffend, bezüglich",
    "P:cc": "in kopie an, mit kopie an, in cc, im cc, in kopie, in der kopie, auf kopie, als kopie, nur in kopie",
    "NEG": "nicht mehr, weder, noch auch, nie, niemals, nicht, kein, keine, keinen, keiner, keinem, keinerlei, "
    "nichts, niemand, niemanden, niemandem, kein einziges mal, kein einziges, keine einzige, gar nichts, gar nicht, "
    "gar keine, gar kein, nicht ein, weder, noch nie, überhaupt nicht, überhaupt nichts, nicht ein einziges mal, nie "
    "etwas, kein mal",
    "BESIDES": "außer, abgesehen von, neben, ohne zu zählen",
    "OUTSIDE": "außerhalb von, außerhalb, von außerhalb von, von außerhalb, nicht bei",
    "EXTERNAL": "externe, externen, externer, fremde, fremden, auswärtige, auswärtigen",
    "MOST": "am meisten, die meisten, den meisten, am häufigsten, meisten, am öftesten, mehr, öfter, "
    "häufiger, meist, den größten teil",
    "MAIN": "wichtigste, wichtigsten, häufigste, häufigsten, eifrigste, eifrigsten, größte, größten, "
    "haupt, aktivste, fleißigste",
    "LONGEST": "längste, längsten, längster, längstes",
    "FIRST": "erste, ersten, erster, erstes, zuerst, als erste, als erster, früheste",
    "LAST": "letzte, letzten, letzter, letztes, zuletzt, zum letzten mal, neueste, jüngste",
    "ATLEAST": "mindestens, wenigstens",
    "MORETHAN": "mehr als, über mehr als",
    "ORMORE": "oder mehr",
    "NUM:1": "eins",
    "NUM:2": "zwei, beiden, zweimal, beide male",
    "NUM:3": "drei, dreimal",
    "NUM:4": "vier, viermal",
    "NUM:5": "fünf, fünfmal",
    "NUM:6": "sechs, sechsmal",
    "NUM:7": "sieben",
    "NUM:8": "acht",
    "NUM:9": "neun",
    "NUM:10": "zehn, zehnmal",
    "NUM:12": "zwölf",
    "NUM:20": "zwanzig, zwanzigmal",
    "BOTH": "sowohl, beide",
    "AND": "und, sowie, als auch, und auch",
    "OR": "oder",
    "BUT": "aber, jedoch, und die, und der",
    "ARTICLE": "der, die, das, den, dem, deren",
    "OTHER": "andere, anderen, anderer, anderes",
    "SAME": "selben, gleichen, denselben, derselben, dieselben",
    "AUX:have": "hat, haben, hatte, hatten, habe",
    "AUX": "ist, sind, war, waren, wurde, wurden, wird, werden, worden, sein, hast",
    "BACKFORTH": "hin und her, ausgetauscht, wechselten, gewechselt, hin und her gingen, gingen hin und her",
    "TITLED": "mit dem titel, mit titel, namens, mit dem betreff, mit betreff, betreff, titel, unter dem betreff",
    "INSUBJECT": "im betreff, in der betreffzeile, im titel",
    "WITHATTACH": "mit anhang, mit anhängen, mit einem anhang, mit anlage, haben einen anhang",
    "ME": "ich",
    "ME:obj": "mir, mich",
    "MY": "mein, meine, meinen, meiner, meinem",
    "HE": "er, sie, ihm, ihn, ihnen, ihr, ihre, ihren, diese person, dieser person, jene person, "
    "der betreffende, dieselbe person",
    "THATPERIOD": "in diesem monat, diesem monat, in dem monat, im selben monat, in jenem monat, damals, "
    "im selben jahr, in diesem jahr damals",
    "OFTHOSE": "davon, von denen, von diesen, von ihnen, darunter, unter denen, unter ihnen, unter diesen",
    "THENAFTER": "danach, nach diesem monat, nach dem monat, seitdem, seither, später",
    "THENBEFORE": "davor, vor diesem monat, bis dahin",
    "NEG+THENAFTER": "nie wieder, nie mehr, niemals wieder, danach nie wieder, danach nicht mehr",
    "NOBODYELSE": "sonst niemanden, sonst niemandem, niemanden sonst, niemandem sonst, an niemanden sonst, an sonst "
    "niemanden, an niemand anderen, und sonst niemanden",
    "ROLE:to": "direkt, unmittelbar, im an feld, in der an zeile, im feld an",
    "OWNFIRM": "unsere firma, unserer firma, unsere eigene firma, unserer eigenen firma, meine firma, meiner firma, "
    "meiner eigenen firma, unser unternehmen, unserem unternehmen, mein unternehmen, meinem unternehmen",
    "N:colleague": "kollegen, kollege, kollegin, kolleginnen",
    "FIRSTTIME": "zum ersten mal, erstmals",
    "AUTOMATED": "automatisch, automatische, automatischen, automatischer, automatisiert, automatisierte, "
    "automatisierten, automatisch erzeugt, automatisch erzeugte, automatisch erzeugten, automatisch verschickt, "
    "automatisch verschickte, automatisch verschickten, maschinell, maschinelle, maschinellen, von maschinen, "
    "von robotern, von programmen",
    "AUTOMATED+N:message": "newsletter, newslettern, rundbriefe, rundbriefen, benachrichtigungen, benachrichtigung, "
    "abwesenheitsnotizen, abwesenheitsnotiz, automatische antworten, automatischen antworten, massenmails, "
    "massenpost, systemmails, verteilerpost",
    "BYHAND": "von hand geschrieben, von hand geschriebene, von hand geschriebenen, von menschen, von echten menschen, "
    "von menschen geschrieben, von menschen geschriebene, von menschen geschriebenen",
    "BYHAND+N:message": "echte mails, echten mails, echte mail, echte nachrichten, echten nachrichten, echte post, "
    "richtige mails, richtigen mails, richtige nachrichten, richtige post",
    "NEG+V:send": "schwieg, schwiegen, geschwiegen, nichts geschrieben, nichts geschickt, nichts gesendet, nicht mehr "
    "geschrieben, blieb still, blieben still",
    "FILETYPE:word": "word dokument, word dokumente, word dokumenten, word datei, word dateien",
    "FILETYPE:excel": "excel, excel tabelle, excel tabellen, excel datei, excel dateien, tabellenkalkulation",
    "FILETYPE:powerpoint": "powerpoint, powerpoint datei, powerpoint dateien, "
    "powerpoint präsentation, powerpoint präsentationen",
    "FILETYPE:image": "bild, bilder, bildern, foto, fotos, bilddatei, bilddateien",
    "ONLY": "niemanden außer, niemandem außer, niemand außer, nur, ausschließlich, lediglich",
    "EXACTLY": "genau",
    "EVERYMONTH": "jeden monat, jedem monat, in jedem monat, in jedem einzelnen monat, allen monaten, in allen monaten",
    "ROLE:cc": "cc, kopie, kopien, cc empfänger, kopieempfänger, empfänger in kopie, empfänger in cc, empfänger im cc",
    "SKIP": "mehrere, mehreren, einige, einigen, zahlreiche, zahlreichen, des, ein, eine, einen, einer, eines, einem, "
    "aller, je, jemals, auch, verschiedene, verschiedenen, unterschiedliche, bitte, insgesamt, mir bitte, es, gibt "
    "es, gab es, gibt, kommt, kommen, kam, taucht, tauchen, postfach, im postfach, im ganzen postfach, überhaupt, "
    "eigentlich, dieser, diese, so, oft, häufig, auf gelistet, mal, jeweils, im ganzen, denn, zu, dann, da, etwas, "
    "kamen, gekommen, eingegangen, eingetroffen, kam an, bitte auch, mal bitte, könntest du, kannst du, du, uns, wir, "
    "unser, hier, an die liste, auf der liste, an uns, denen, insgesamt denn, gern, danke, sag mir, ich wüsste gern, "
    "wüsste, also, sich, darin, einmal, von uns, standen, stand, ich möchte wissen, ich will wissen, ich würde gern "
    "wissen, ich möchte",
    "ASIDE": "nicht mitzählen, nicht mitgezählt, nicht mitgerechnet, ausgenommen, ausgeschlossen, "
    "zähle nicht, zählt nicht, zähl nicht, nicht zählen, nicht gezählt",
    "THEWORD": "das wort, die wörter, der begriff, wort, wörter, begriff, den namen",
    "ORD:2": "zweiter, zweitmeisten, am zweitmeisten, an zweiter stelle, zweithäufigsten, "
    "am zweithäufigsten, zweitplatziert",
    "P:bcc": "in bcc, im bcc, bcc, in blindkopie, blindkopie",
    "ATTACHED": "angehängt, beigefügt, dabei",
    "SHARE": "anteil, welcher anteil, prozent, prozentsatz, durchschnittlich, durchschnitt, im durchschnitt, "
    "im schnitt, im mittel, pro tag, pro woche, pro monat, pro jahr, pro person",
    "BESIDES+ME": "meine eigenen nicht, meine nicht, nicht meine eigenen, nicht meine, ohne meine eigenen, ohne meine, "
    "außer meinen eigenen, außer meinen",
    "FORWARD": "weiterleitungen, weiterleitung",
    "V:send+FORWARD": "weitergeleitet, weitergeleitete, weitergeleiteten, weiterleiten",
    "WHOEVER": "wer auch immer, derjenige, diejenige, demjenigen, denjenigen",
    "N:list": "mailingliste, verteiler, verteilerliste",
    "N:reply": "antwort, antworten, eine antwort, antworten auf, antwort auf, eine antwort auf, erwiderung, "
    "antwort auf etwas",
    "COUNTING": "zählt, gezählt, zählen",
    "ANSWERED": "beantwortet wurde, beantwortet wurden",
    "SELF": "selbst, selber",
    "LEAST": "wenigsten, am wenigsten, die wenigsten, am seltensten, seltensten, ruhigste, ruhigsten, weniger",
    "NEG+ANSWERED": "unbeantwortet, keine antwort, ohne antwort, nie beantwortet, nicht beantwortet",
    "Q:howmany+N:message": "wie viel post, wie viel mail, wie lang ist die unterhaltung, wie lang ist der verlauf, "
    "wie lang ist die konversation",
    "V:put": "gesetzt, setzte, setzten",
}

DATES = {
    "ALSO": "und",
    "M:1": "januar, jänner, jan",
    "M:2": "februar, feb",
    "M:3": "märz",
    "M:4": "april, apr",
    "M:5": "mai",
    "M:6": "juni, jun",
    "M:7": "juli, jul",
    "M:8": "august, aug",
    "M:9": "september, sept, sep",
    "M:10": "oktober, okt",
    "M:11": "november, nov",
    "M:12": "dezember, dez",
    "D:0": "montag",
    "D:1": "dienstag",
    "D:2": "mittwoch",
    "D:3": "donnerstag",
    "D:4": "freitag",
    "D:5": "samstag, sonnabend",
    "D:6": "sonntag",
    "S:3": "frühling, frühjahr",
    "S:6": "sommer",
    "S:9": "herbst",
    "S:12": "winter",
    "H:christmas": "weihnachten, weihnachtstag",
    "H:christmaseve": "heiligabend",
    "H:newyear": "neujahr",
    "H:newyearseve": "silvester",
    "H:easter": "ostern",
    "U:day": "tag, tage, tagen",
    "U:week": "woche, wochen",
    "U:month": "monat, monate, monaten, monats",
    "U:quarter": "quartal, quartals",
    "U:half": "hälfte, halbjahr",
    "U:year": "jahr, jahre, jahren, jahres",
    "U:weekend": "wochenende",
    "THIS": "diesen, diesem, dieses, dieser, diese",
    "PAST": "letzten, letzte, letztes, letzter, letztem, vorigen, vorige, voriges, vergangenen, vergangene, "
    "vergangenes",
    "NEXT": "nächsten, nächste, nächstes, kommenden, folgenden",
    "AGO": "vor",
    "TODAY": "heute",
    "YESTERDAY": "gestern",
    "SINCE": "seit, ab",
    "UNTIL": "bis, bis zum, bis ende",
    "BEFORE": "vor, bevor",
    "AFTER": "nach",
    "BETWEEN": "zwischen",
    "AND": "und, bis, bis zum",
    "FROM": "von, vom",
    "ON": "und später, aufwärts",
    "EARLY": "anfang, anfangs, beginn",
    "MID": "mitte",
    "LATE": "ende",
    "O:1": "erste, ersten, erster",
    "O:2": "zweite, zweiten, zweites",
    "O:3": "dritte, dritten, drittes",
    "O:4": "vierte, vierten, viertes",
    "O:-1": "letzte, letzten",
    "THE": "der, die, das, den, dem, des, im, in, am, von, vom, zu, jahr, jahre, monat",
    "IN": "in, im, am, seit, bis, vor, nach, ab, von, zwischen, jahr, während, und",
    "ASOF": "stand",
    "NUM:1": "einer, einem, ein, eine",
    "NUM:2": "zwei",
    "NUM:3": "drei",
    "NUM:4": "vier",
    "NUM:5": "fünf",
    "NUM:6": "sechs",
    "NUM:10": "zehn",
}
