"""French."""

FUNCTION_WORDS = (
    "le la les des du de un une et est sont etait a à ont avait ai je me moi mon ma mes qui que quoi quand "
    "combien quel quelle quels quelles en dans sur avec pour par entre ne pas jamais aucun plus dont ce cette il "
    "elle ils elles m j d l qu montre liste tous toutes messages courriels personnes au aux"
)

# What a kind of file is called beside its kind: "a PDF document".
FILE_WORDS = "fichier fichiers document documents image images photo photos tableau tableaux format"

STOPWORDS = (
    "le la les l un une des du de d et ou mais ne pas est sont etait etaient a à ont avait ai je j me m moi mon "
    "ma mes tu te ton ta tes il elle ils elles on nous vous notre nos votre vos leur leurs lui son sa ses ce cet "
    "cette ces cela qui que qu quoi quand combien quel quelle quels quelles comment pourquoi en dans sur avec "
    "pour par sans sous entre au aux si y plus moins tres aussi meme ete etre avoir fait dont où t s n c jour "
    "jours semaine semaines mois an ans annee annees temps fois maintenant exactement vraiment chaque venir vient "
    "aller va prendre pris quelqu quelque chose tout dire dit demander nouveau nouvelle ancien"
)

# Stopwords that change what is asked for where nothing was made of them: "long mails", "mails a week".
TELLING = "avant après pendant jusque jour jours semaine semaines an ans année années nouveau nouvelle ancien"

CUES = {
    "N:domain": "domaine, domaines",
    "BYCOUNT": "par nombre de messages",
    "V:belong": "appartiennent, appartient, travaillent pour",
    "V:start": "commencé, ouvert, lancé, commencées",
    "WITHOUT": "sans, sans jamais",
    "Q:howmany": "combien de, combien d, combien, le nombre de, nombre de",
    "Q:howoften": "combien de fois",
    "Q:who": "qui, qui est ce qui, quelles sont les personnes qui",
    "Q:which": "quel, quelle, quels, quelles, lequel, laquelle, lesquels, lesquelles",
    "Q:what": "quoi, qu est ce que, qu est ce qui",
    "Q:when": "quand, quel jour, à quelle date",
    "Q:content": "pourquoi, comment, où, combien coûte, à quel prix",
    "LIST": "montre moi, montre, montrez moi, affiche, liste, lister, nomme, donne moi, donnez moi, trouve, cite",
    "N:message": "message, messages, courriel, courriels, mail, mails, e mail, e mails, email, emails, mél, "
    "lettre, lettres, courrier, correspondance, messages envoyés, tout ce que, publications",
    "N:person": "personne, personnes, gens, tous ceux, ceux, celles, contacts, quelqu un, celui, "
    "celle, membres, chacun, tous les gens, monde",
    "N:sender": "expéditeur, expéditeurs, expéditrice, auteur, auteurs",
    "N:recipient": "destinataire, destinataires",
    "N:correspondent": "correspondant, correspondants, correspondante, correspondantes",
    "N:address": "adresse, adresses",
    "N:org": "organisation, organisations, société, sociétés, entreprise, entreprises",
    "N:thread": "conversation, conversations, fil, fils, discussion, discussions, échange de messages",
    "N:month": "mois",
    "N:label": "dossier, dossiers, libellé, libellés",
    "N:attachment": "pièce jointe, pièces jointes, fichier joint, fichiers joints, une pièce jointe, "
    "des pièces jointes, fichiers, fichier, documents",
    "V:send": "écrit, écrits, écrite, écrites, écrivit, écrivait, écrivent, écrire, envoyé, envoyés, "
    "envoyée, envoyées, envoie, envoient, envoya, adressé, adressée, rédigé, rédigés, viennent de, "
    "vient de, proviennent de, provient de, posté, postés, poster, expédié, expédiés, expédiée, "
    "a écrit, écris, envoyer, écrivais, adressés, adressées, venus de, venu de, venant",
    "V:get": "reçu, reçus, reçue, reçues, reçoit, reçoivent, recevoir",
    "V:mention": "mentionne, mentionnent, mentionné, mentionnée, mentionnés, mentionnées, parlent de, parle de, "
    "parlé de, évoque, évoquent, évoqué, contiennent, contient, apparaît, apparaissent, figure, "
    "citent, cite, est il question de, il est question de, question de, avec le mot, "
    "est mentionné, est mentionnée, sont mentionnés, est cité, parle du, parlent du, parle d, "
    "parlent d, il est question du, est il question du, il est question d, apparaît le mot, "
    "contenant, contenant le mot, mentionnant, figurent, est évoqué, où il est question de, "
    "traitent de, font mention de, mentionner, citer, évoquer, parler de",
    "V:go": "allé, allés, allées, parti, partis, parvenus",
    "V:copy": "copié, copiée, copiés, copiées",
    "ROLE:cc": "copie, copies, cc, destinataire en copie, destinataires en copie",
    "V:reply": "répondu, répond, répondent, répondre",
    "V:file": "classé, classés, classées, rangé, rangés, se trouvent, se trouve",
    "V:active": "actif, active, actifs",
    "V:take": "participé, participe, participent, impliquent, implique",
    "P:to": "à, au, aux",
    "P:from": "de, d, du, des, provenant de, venant de",
    "P:by": "par",
    "P:at": "parmi, chez, dans, dans le, au sein de, sur, pendant, durant, au cours de, lors de",
    "P:with": "avec",
    "P:between": "entre",
    "P:about": "au sujet de, à propos de, concernant, sur le thème de",
    "P:cc": "avec copie à, en copie à, en copie, en cc, en copie de, en copie carbone",
    "NEG": "n ont plus, n a plus, jamais, pas, rien, aucun, aucune, personne ne, ni, non, aucune fois, pas une "
    "seule fois, pas un seul, pas une seule, rien du tout, nul",
    "NE": "ne, n",
    "BESIDES+ME": "sans me compter, moi non compris, sans moi, pas les miens, sauf les miens, hors les miens, sans les "
    "miens, sans compter les miens",
    "BESIDES": "sauf, à part, hormis, à l exception de, en dehors de moi, sans compter, en laissant de côté, "
    "exception faite de, moi exclu",
    "OUTSIDE": "en dehors de, en dehors d, hors de, hors d, hors, à l extérieur de, à l extérieur d, "
    "extérieurs à, extérieures à, extérieur à",
    "EXTERNAL": "externe, externes, extérieur, extérieure, extérieurs, extérieures",
    "MOST": "le plus de, le plus, le plus souvent, le plus fréquemment, plus souvent, les plus nombreux, "
    "la plupart, plus, davantage",
    "MAIN": "principal, principale, principaux, principales, plus fréquent, plus fréquents, plus actif, "
    "plus active, premier par le nombre",
    "LONGEST": "plus longue, plus long, la plus longue, le plus long",
    "FIRST": "premier, première, premiers, premières, en premier, d abord",
    "LAST": "dernier, dernière, derniers, dernières, en dernier, pour la dernière fois",
    "ATLEAST": "au moins, au minimum",
    "MORETHAN": "plus de",
    "ORMORE": "ou plus",
    "NUM:2": "deux",
    "NUM:3": "trois",
    "NUM:4": "quatre",
    "NUM:5": "cinq",
    "NUM:6": "six",
    "NUM:7": "sept",
    "NUM:8": "huit",
    "NUM:9": "neuf",
    "NUM:10": "dix",
    "NUM:20": "vingt",
    "BOTH": "à la fois, tant",
    "AND": "et, ainsi que, et aussi",
    "OR": "ou",
    "BUT": "mais",
    "REL": "que, qu, dont, auquel, auxquels, auxquelles, à laquelle",
    "OTHER": "autre, autres",
    "SAME": "même, mêmes",
    "AUX:have": "a, ont, avait, avaient, ai, as, avons, a t il, a t elle, ont ils, ont elles, a t on",
    "AUX": "est, sont, était, étaient, été, fut, furent, est ce que, est il, sont ils, sont elles, être",
    "AUX:have+ME": "ai je",
    "BACKFORTH": "échangés, échangé, échangées, échange",
    "TITLED": "intitulé, intitulée, intitulés, ayant pour objet, avec pour objet, avec l objet, "
    "ayant pour titre, objet",
    "INSUBJECT": "dans l objet, dans le sujet, dans leur objet, dans le titre",
    "WITHATTACH": "avec pièce jointe, avec pièces jointes, avec une pièce jointe, ont une pièce jointe",
    "ME": "je, j, moi",
    "ME:obj": "me, m",
    "MY": "mon, ma, mes",
    "HE": "il, elle, lui, ils, elles, leur, eux, cette personne, la même personne, cet auteur, celui ci, celle ci",
    "THATPERIOD": "ce mois là, ce même mois, le même mois, cette année là, la même année, alors",
    "Q:howmany+OFTHOSE": "combien d entre eux, combien d entre elles",
    "OFTHOSE": "parmi eux, parmi elles, d entre eux, d entre elles, parmi ceux ci, parmi celles ci, de ceux ci, de "
    "celles ci, parmi ces messages, de ces messages",
    "THENAFTER": "après cela, par la suite, ensuite, depuis lors, après ce mois, après ce mois là",
    "THENBEFORE": "avant cela, jusque là, avant ce mois, avant ce mois là",
    "NEG+THENAFTER": "plus jamais, jamais plus, plus jamais ensuite",
    "NOBODYELSE": "à personne d autre, et à personne d autre, personne d autre, et personne d autre",
    "V:put": "mis, mise, mises, met, mettent",
    "OWNFIRM": "notre société, notre entreprise, ma société, mon entreprise, notre propre société, notre organisation",
    "N:colleague": "collègues, collègue",
    "FIRSTTIME": "pour la première fois",
    "AUTOMATED": "automatique, automatiques, automatisé, automatisés, automatisée, automatisées, générés "
    "automatiquement, envoyés automatiquement, écrits par des machines, de machines",
    "AUTOMATED+N:message": "newsletter, newsletters, infolettre, infolettres, lettres d information, lettre d "
    "information, notification, notifications, réponses automatiques, réponse automatique, messages d absence, "
    "courrier de masse",
    "BYHAND": "écrits à la main, écrits par des humains, écrits par de vraies personnes, de vraies personnes",
    "BYHAND+N:message": "vrais messages, vrais mails, vrais courriels, vrai courrier, véritables messages, "
    "véritables courriels",
    "NEG+V:send": "s est tu, se sont tus, est resté silencieux, sont restés silencieux, est restée silencieuse, n a "
    "rien écrit, n ont rien écrit, n a rien envoyé, n ont rien envoyé, n écrit plus, n ont plus écrit, n "
    "a plus écrit",
    "FILETYPE:word": "document word, documents word, fichier word, fichiers word",
    "FILETYPE:excel": "excel, fichier excel, fichiers excel, feuille de calcul, feuilles de calcul, tableur, "
    "feuille excel",
    "FILETYPE:powerpoint": "powerpoint, fichier powerpoint, fichiers powerpoint, présentation powerpoint",
    "FILETYPE:image": "image, images, photo, photos",
    "ONLY": "personne d autre que, personne sauf, seulement, uniquement, exclusivement",
    "EXACTLY": "exactement",
    "EVERYMONTH": "chaque mois, tous les mois, chacun des mois",
    "SKIP": "plusieurs, quelques, de nombreux, de nombreuses, beaucoup de, le, la, les, l, un, une, tous, toutes, "
    "tout, toute, y a t il, il y a, différents, différentes, divers, distincts, s il te plaît, s il vous plaît, "
    "boîte, dans la boîte, dans ma boîte, au total, en tout, ce, cette, ces, souvent, fréquemment, fois, t, t il, t "
    "elle, déjà, également, aussi, se, s, pourriez vous, pouvez vous, peux tu, tu, vous, nous, ici, sur la liste, à "
    "la liste, dis moi, s il vous plait, merci, quelque chose, ce que, cela, ça, eux mêmes, en leur sein, en, à nous, "
    "chez nous, je voudrais savoir, je veux savoir, j aimerais savoir, je voudrais voir, je veux voir, arrivés, "
    "arrivées, arrivé, arrivent",
    "ASIDE": "mis à part, mise à part, exclu, exclue, non compris, non comprise, excepté",
    "THEWORD": "le mot, les mots, le terme, mot, mots, terme",
    "ORD:2": "deuxième, second, seconde, en deuxième, en second",
    "P:bcc": "en copie cachée, en cci, cci, bcc, en bcc",
    "ATTACHED": "joint, joints, jointe, jointes",
    "SHARE": "pourcentage, proportion, quelle part, en moyenne, moyenne, par jour, par semaine, par mois, par an, par "
    "personne",
    "FORWARD": "transfert, transferts",
    "V:send+FORWARD": "transféré, transférés, transférée, transférées, transférer, fait suivre",
    "WHOEVER": "quiconque, celui qui, celle qui",
    "N:list": "liste de diffusion, liste de discussion",
    "N:reply": "réponse, réponses, une réponse, des réponses, réponse à un autre message, "
    "réponses à un autre message, réponse à, réponses à",
    "COUNTING": "compter, comptant, en comptant",
    "SELF": "lui même, elle même, moi même",
    "LEAST": "le moins de, le moins, le moins souvent, moins de, moins",
    "NEG+ANSWERED": "restés sans réponse, sans réponse, aucune réponse, pas de réponse",
    "Q:howmany+N:message": "combien de courrier",
}

DATES = {
    "ALSO": "et",
    "M:1": "janvier",
    "M:2": "février",
    "M:3": "mars",
    "M:4": "avril",
    "M:5": "mai",
    "M:6": "juin",
    "M:7": "juillet",
    "M:8": "août",
    "M:9": "septembre",
    "M:10": "octobre",
    "M:11": "novembre",
    "M:12": "décembre",
    "D:0": "lundi",
    "D:1": "mardi",
    "D:2": "mercredi",
    "D:3": "jeudi",
    "D:4": "vendredi",
    "D:5": "samedi",
    "D:6": "dimanche",
    "S:3": "printemps",
    "S:6": "été",
    "S:9": "automne",
    "S:12": "hiver",
    "H:christmas": "noël",
    "H:newyear": "nouvel an, jour de l an",
    "H:easter": "pâques",
    "U:day": "jour, jours",
    "U:week": "semaine, semaines",
    "U:month": "mois",
    "U:quarter": "trimestre, trimestres",
    "U:half": "semestre, moitié",
    "U:year": "an, ans, année, années",
    "U:weekend": "week end",
    "THIS": "ce, cet, cette",
    "PAST": "dernier, dernière, derniers, dernières, passé, passée, précédent, précédente",
    "NEXT": "prochain, prochaine",
    "AGO": "il y a",
    "TODAY": "aujourd hui",
    "YESTERDAY": "hier",
    "SINCE": "depuis, à partir de, dès",
    "UNTIL": "jusqu à, jusqu en, jusqu au",
    "BEFORE": "avant",
    "AFTER": "après",
    "BETWEEN": "entre",
    "AND": "et, à, au, jusqu à",
    "FROM": "de, du",
    "EARLY": "début, au début de, au début",
    "MID": "mi, milieu, au milieu de",
    "LATE": "fin, à la fin de, à la fin d, fin de",
    "O:1": "premier, première",
    "O:2": "deuxième, second, seconde",
    "O:3": "troisième",
    "O:4": "quatrième",
    "O:-1": "dernière, dernier",
    "THE": "le, la, les, l, de, d, du, des, en, au, à, dans, mois de, mois d, année",
    "IN": "en, de, du, dans, pendant, depuis, avant, après, entre, et, à, au, le, l",
    "NUM:1": "un, une",
    "NUM:2": "deux",
    "NUM:3": "trois",
    "NUM:4": "quatre",
    "NUM:5": "cinq",
    "NUM:6": "six",
    "NUM:10": "dix",
}
