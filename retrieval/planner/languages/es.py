"""Spanish."""

FUNCTION_WORDS = (
    "el la los las un una unos y es son era eran fue fueron ha han habia yo me mi mis que quien quienes cuando "
    "cuantos cuantas cuanto cual cuales en de del al con por para entre no nunca ningun ninguna mas a muestra "
    "muestrame lista todos todas mensajes correos personas sobre se su sus"
)

# What a kind of file is called beside its kind: "a PDF document".
FILE_WORDS = "archivo archivos documento documentos imagen imágenes foto fotos fichero ficheros formato"

STOPWORDS = (
    "el la los las lo un una unos unas y e o u pero no es son era eran fue fueron ser ha han habia haber hay he "
    "yo me mi mis tu te ti su sus se le les nos nosotros ellos ellas el ella que quien quienes cuando cuantos "
    "cuantas cuanto cuanta cual cuales como por porque para con sin en de del al a ante bajo desde hasta entre "
    "sobre tras si ya mas menos muy tambien este esta estos estas ese esa esos esas aquel donde dia dias semana "
    "semanas mes meses ano anos tiempo vez veces ahora exactamente realmente cada venir viene ir va fue tomar "
    "alguien algo todo decir dijo pedir nuevo nueva viejo hacer hizo"
)

# Stopwords that change what is asked for where nothing was made of them: "long mails", "mails a week".
TELLING = "antes después hasta mientras día días semana semanas año años nuevo nueva viejo"

CUES = {
    "N:domain": "dominio, dominios",
    "BYCOUNT": "por número de mensajes",
    "V:belong": "pertenecen, pertenece, pertenecen a, trabajan para",
    "V:start": "empezó, inició, comenzó, iniciado",
    "WITHOUT": "sin",
    "Q:howmany": "cuántos, cuántas, cuánta, número de, el número de, cantidad de",
    "Q:howoften": "cuántas veces, con qué frecuencia",
    "Q:who": "quién, quiénes",
    "Q:which": "cuál, cuáles, cuál de, qué",
    "Q:what": "lo que",
    "Q:when": "cuándo, qué día, en qué fecha",
    "Q:content": "por qué, cómo, cuánto, dónde",
    "LIST": "muéstrame, muestra, muestre, lista, enumera, nombra, dime, dame, encuentra, busca",
    "N:message": "mensaje, mensajes, correo, correos, e mail, e mails, email, emails, mail, mails, carta, "
    "cartas, correo electrónico, correos electrónicos, correspondencia, publicaciones, "
    "todo lo que, envíos",
    "N:person": "persona, personas, gente, todos los que, los que, las que, aquellos, contactos, "
    "alguien, el que, la que, quienes, miembros, aquel, aquella, aquellas, todos, todo el mundo",
    "N:sender": "remitente, remitentes, autor, autora, autores",
    "N:recipient": "destinatario, destinatarios, destinataria",
    "N:correspondent": "corresponsal, corresponsales",
    "N:address": "dirección, direcciones",
    "N:org": "organización, organizaciones, empresa, empresas, compañía, compañías",
    "N:thread": "conversación, conversaciones, hilo, hilos, discusión, discusiones",
    "N:month": "mes, meses",
    "N:label": "carpeta, carpetas, etiqueta, etiquetas",
    "N:attachment": "adjunto, adjuntos, archivo adjunto, archivos adjuntos, archivo, archivos, fichero, ficheros, "
    "fichero adjunto, documento adjunto, documentos",
    "V:send": "escribió, escribieron, escribe, escriben, escrito, escrita, escritos, escritas, escribir, "
    "envió, enviaron, envía, envían, enviado, enviada, enviados, enviadas, enviar, mandó, "
    "mandaron, mandado, mandados, dirigió, dirigidos, dirigido, vienen de, viene de, vinieron de, "
    "proceden de, publicó, publicaron, publicado, remitió, remitieron, remitido, escritas por, "
    "ha escrito, escribo, mandan, venían de, procedentes",
    "V:get": "recibió, recibieron, recibe, reciben, recibido, recibidos, recibir",
    "V:mention": "menciona, mencionan, mencionó, mencionaron, mencionado, mencionada, mencionados, contiene, "
    "contienen, aparece, aparecen, apareció, hablan de, habla de, habló de, se refieren a, citan, "
    "cita, con la palabra, se menciona, se mencionan, es mencionado, se habla de, se habla del, "
    "hablan del, habla del, tratan de, trata de, mencionen, mencione, aparezca, aparezcan, sale, "
    "salen, se nombra, contengan, contenga, citada, se cita, hacen referencia a, con el término, "
    "mencionar, nombrar, citar, hablar de, hablar del",
    "V:go": "fue a, fueron a",
    "V:copy": "en copia a",
    "ROLE:cc": "copia, copias, cc, destinatario en copia, destinatarios en copia",
    "V:reply": "respondió, respondieron, respondido, contestó, contestaron, contestado",
    "V:file": "archivado, archivados, guardado, guardados, archivada, archivadas",
    "V:active": "activo, activa, activos",
    "V:take": "participó, participaron, participado, participa, participan, implican",
    "P:to": "a, al, para",
    "P:from": "de, del, desde, procedente de",
    "P:by": "por",
    "P:at": "en, dentro de, durante, a lo largo de",
    "P:with": "con",
    "P:between": "entre",
    "P:about": "sobre, acerca de, respecto a, a propósito de",
    "P:cc": "con copia a, en copia, en cc, puso en copia, en copia de, como copia",
    "NEG": "ya no, nunca, jamás, no, nada, ningún, ninguna, ninguno, nadie, a nadie, ni, ni una sola vez, ni un solo, "
    "ni una sola, ninguna vez, nada de nada, tampoco",
    "BESIDES+ME": "sin contarme, sin contarme a mí, dejándome a mí de lado, dejándome de lado, no los míos, menos los "
    "míos, sin los míos, salvo los míos, sin contar los míos",
    "BESIDES": "salvo, excepto, aparte de, además de, sin contar, sin contar a, "
    "dejando de lado, exceptuando, excluyendo, dejando fuera, sin incluir, quitando",
    "OUTSIDE": "de fuera de, fuera de, ajenos a, ajenas a, externos a, externas a",
    "EXTERNAL": "externo, externa, externos, externas, ajenas, ajenos",
    "MOST": "más, el que más, los que más, quien más, más a menudo, con más frecuencia, más veces, "
    "mayor número de, la mayoría, más mensajes, más correos, mayor cantidad de",
    "MAIN": "principal, principales, más frecuente, más frecuentes, más activo, más activa, más activos",
    "LONGEST": "más larga, más largo, más largas, la más larga",
    "FIRST": "primero, primera, primer, primeros, primeras",
    "LAST": "último, última, últimos, últimas, por última vez",
    "ATLEAST": "al menos, por lo menos, como mínimo",
    "MORETHAN": "más de",
    "ORMORE": "o más",
    "NUM:2": "dos",
    "NUM:3": "tres",
    "NUM:4": "cuatro",
    "NUM:5": "cinco",
    "NUM:6": "seis",
    "NUM:7": "siete",
    "NUM:8": "ocho",
    "NUM:9": "nueve",
    "NUM:10": "diez",
    "NUM:20": "veinte",
    "BOTH": "tanto, ambos, ambas",
    "AND": "y, e, así como, como también, como",
    "OR": "o, u",
    "BUT": "pero",
    "REL": "que, al que, a la que, a los que",
    "OTHER": "otro, otra, otros, otras",
    "SAME": "misma, mismos, mismas",
    "AUX:have": "ha, han, había, habían, tiene, tienen, trae, traen, lleva, llevan, traían, llevaban",
    "AUX": "es, son, era, eran, fueron, fue, sido, está, están",
    "AUX:have+ME": "he",
    "BACKFORTH": "intercambiaron, intercambió, intercambiado, intercambiados, se cruzaron",
    "TITLED": "titulada, titulado, con el asunto, con asunto, con el título, asunto, llamada",
    "INSUBJECT": "en el asunto, en su asunto, en el título",
    "WITHATTACH": "con adjunto, con adjuntos, con un adjunto, con archivos adjuntos, tienen adjunto, tienen adjuntos",
    "ME": "yo, mí, conmigo",
    "ME:obj": "me",
    "MY": "mis",
    "HE": "él, ella, ellos, ellas, le, les, ella misma, él mismo, esa persona, esta persona, "
    "dicha persona, la misma persona, ese remitente",
    "THATPERIOD": "ese mes, en ese mes, el mismo mes, ese año, ese mismo mes, entonces",
    "OFTHOSE": "de ellos, de ellas, de esos, de esas, de estos, de estas, entre ellos, entre ellas",
    "THENAFTER": "después, después de eso, después de ese mes, a partir de entonces, desde entonces, más tarde, "
    "posteriormente",
    "THENBEFORE": "antes de eso, antes de ese mes, hasta entonces",
    "NEG+THENAFTER": "nunca más, no más después, jamás volvió a",
    "NOBODYELSE": "a nadie más, y a nadie más, nadie más, y nadie más",
    "OWNFIRM": "nuestra empresa, mi empresa, nuestra compañía, mi compañía, nuestra propia empresa, nuestra "
    "organización",
    "N:colleague": "compañeros, compañero, compañera, compañeras, colegas, colega",
    "FIRSTTIME": "por primera vez",
    "AUTOMATED": "automático, automáticos, automática, automáticas, automatizado, automatizados, automatizada, "
    "automatizadas, generados automáticamente, enviados automáticamente, escritos por máquinas, de máquinas",
    "AUTOMATED+N:message": "boletín, boletines, newsletter, newsletters, notificación, notificaciones, respuestas "
    "automáticas, respuesta automática, avisos automáticos, correo masivo, correos masivos",
    "BYHAND": "escritos a mano, escritos por personas, escritos por humanos, de personas reales, de personas de verdad",
    "BYHAND+N:message": "correos reales, mensajes reales, correo real, correos de verdad, mensajes de verdad, "
    "correo de verdad",
    "NEG+V:send": "guardó silencio, guardaron silencio, guardado silencio, calló, callaron, no escribió nada, no "
    "escribieron nada, dejó de escribir, dejaron de escribir, ya no escribió, ya no escribieron, ya no "
    "han escrito",
    "FILETYPE:word": "documento word, documentos word, documento de word, documentos de word, archivo de word, "
    "archivos de word, archivo word",
    "FILETYPE:excel": "excel, hoja de cálculo, hojas de cálculo, archivo de excel, archivos de excel, archivo excel, "
    "hoja de excel",
    "FILETYPE:powerpoint": "powerpoint, presentación de powerpoint, archivo de powerpoint, archivos de powerpoint",
    "FILETYPE:image": "imagen, imágenes, foto, fotos",
    "ONLY": "nadie más que, nadie salvo, nadie excepto, solo, solamente, únicamente, exclusivamente",
    "EXACTLY": "exactamente",
    "EVERYMONTH": "cada mes, todos los meses, cada uno de los meses",
    "SKIP": "varios, varias, algunos, algunas, muchos, muchas, el, la, los, las, lo, un, una, unos, unas, todo, toda, "
    "todas, se, su, sus, también, diferentes, distintos, distintas, por favor, en total, buzón, en el buzón, en mi "
    "buzón, veces, menudo, frecuencia, este, esta, cada, ya, podrías, puedes, puede, podría, me puedes, nos, "
    "nosotros, aquí, a la lista, en la lista, algo, por favor dime, gracias, quiero saber, quiero, saber, alguna vez, "
    "en algún momento, ello, todos ellos, ellos mismos, en total total, que hay, hay, a nosotros, con nosotros, me "
    "gustaría saber, quisiera saber, me gustaría ver, quiero ver, llegaron, llegó, llegan, han llegado, llegado",
    "ASIDE": "aparte, excluido, excluida, no cuento, no cuenta, no cuentan",
    "THEWORD": "la palabra, las palabras, el término, palabra, palabras, término",
    "ORD:2": "segundo, segunda, el segundo, la segunda, en segundo lugar",
    "P:bcc": "en copia oculta, en cco, cco, bcc, en bcc",
    "ATTACHED": "adjuntado, adjunta, adjuntas",
    "SHARE": "porcentaje, proporción, qué parte, en promedio, promedio, de media, por día, por semana, por mes, "
    "por año, por persona",
    "FORWARD": "reenvío, reenvíos",
    "V:send+FORWARD": "reenviado, reenviados, reenviada, reenviadas, reenvió, reenviaron, reenviar",
    "ME+V:send+FORWARD": "reenvié",
    "WHOEVER": "quien quiera que, quienquiera que",
    "N:list": "lista de correo, lista de distribución",
    "N:reply": "respuesta, respuestas, una respuesta, respuestas a otro mensaje, respuesta a otro mensaje, "
    "respuestas a otros mensajes, respuestas a, contestaciones, contestación",
    "COUNTING": "contando, cuenta solo, solo cuenta",
    "SELF": "mismo, yo mismo, yo misma",
    "LEAST": "menos, el que menos, menos mensajes, menos veces",
    "ME+V:send": "escribí, envié, mandé, dirigí, he escrito, he enviado, he mandado, publiqué",
    "ME+V:get": "recibí, he recibido",
    "ME+V:copy": "puse en copia, he puesto en copia",
    "NEG+ANSWERED": "sin respuesta, sin responder, sin contestar, ninguna respuesta",
    "Q:howmany+N:message": "cuánto correo, cuánta correspondencia",
    "V:put": "puso, pusieron, ponía, ha puesto, han puesto, puesto, pone, ponen",
}

DATES = {
    "ALSO": "y",
    "M:1": "enero",
    "M:2": "febrero",
    "M:3": "marzo",
    "M:4": "abril",
    "M:5": "mayo",
    "M:6": "junio",
    "M:7": "julio",
    "M:8": "agosto",
    "M:9": "septiembre, setiembre",
    "M:10": "octubre",
    "M:11": "noviembre",
    "M:12": "diciembre",
    "D:0": "lunes",
    "D:1": "martes",
    "D:2": "miércoles",
    "D:3": "jueves",
    "D:4": "viernes",
    "D:5": "sábado",
    "D:6": "domingo",
    "S:3": "primavera",
    "S:6": "verano",
    "S:9": "otoño",
    "S:12": "invierno",
    "H:christmas": "navidad, navidades",
    "H:christmaseve": "nochebuena",
    "H:newyear": "año nuevo",
    "H:newyearseve": "nochevieja",
    "H:easter": "pascua",
    "U:day": "día, días",
    "U:week": "semana, semanas",
    "U:month": "mes, meses",
    "U:quarter": "trimestre, trimestres",
    "U:half": "semestre, mitad",
    "U:year": "año, años",
    "U:weekend": "fin de semana",
    "THIS": "este, esta",
    "PAST": "pasado, pasada, último, última, últimos, últimas, anterior",
    "NEXT": "próximo, próxima, siguiente",
    "AGO": "hace",
    "TODAY": "hoy",
    "YESTERDAY": "ayer",
    "SINCE": "desde, a partir de",
    "UNTIL": "hasta",
    "BEFORE": "antes de, antes del",
    "AFTER": "después de, después del, tras",
    "BETWEEN": "entre",
    "AND": "y, a, hasta, al",
    "FROM": "de, del, desde",
    "EARLY": "a principios de, principios de, comienzos de, a comienzos de",
    "MID": "mediados de, a mediados de",
    "LATE": "finales de, a finales de, fines de, a fines de",
    "O:1": "primer, primera, primero",
    "O:2": "segundo, segunda",
    "O:3": "tercer, tercera",
    "O:4": "cuarto",
    "O:-1": "última, último",
    "THE": "el, la, los, las, de, del, en, mes de, año",
    "IN": "en, de, del, durante, desde, hasta, antes, entre, y, a, el",
    "NUM:1": "un, una",
    "NUM:2": "dos",
    "NUM:3": "tres",
    "NUM:4": "cuatro",
    "NUM:5": "cinco",
    "NUM:6": "seis",
    "NUM:10": "diez",
}
