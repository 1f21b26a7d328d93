"""What mail programs write around quotations in Romance languages."""

from __future__ import annotations

from typing import Final

from ingest.quoting.languages.language import Language

ROMANCE: Final[tuple[Language, ...]] = (
    Language(
        "fr",
        "le|en date du|en date de|message du",
        "a écrit|écrit|ecrit|a ecrit|a écrit ceci|nous a écrit",
        "a écrit le",
        "de|expéditeur|envoyé par",
        "envoyé|date|envoyé le|message du|date d'envoi",
        "à|a|pour|destinataire|destinataires",
        "copie à|copie|cc",
        "objet|sujet",
        "message d'origine|message original|message initial|courriel original|mail original|message précédent",
        "message transféré|message réexpédié|début du message réexpédié|début du message transféré|message transmis"
        "|transféré par|réexpédié par|courriel transféré|message transféré par",
        "janvier,janv,jan février,févr,fév,fevr,fev mars avril,avr mai juin juillet,juil août,aout septembre,sept"
        " octobre,oct novembre,nov décembre,déc,dec",
        "lundi|lun|mardi|mar|mercredi|mer|jeudi|jeu|vendredi|ven|samedi|sam|dimanche|dim",
    ),
    Language(
        "es",
        "el|en|a las",
        "escribió|escribio|ha escrito|escribía|escribe|va escriure",
        "escribió el|escribió|escribio",
        "de|remitente",
        "enviado|fecha|enviado el|enviada el|enviados el",
        "para|a|destinatario",
        "copia|con copia|cc",
        "asunto",
        "mensaje original|correo original|mensaje origen",
        "mensaje reenviado|inicio del mensaje reenviado|correo reenviado|reenviado por|mensaje remitido",
        "enero,ene febrero,feb marzo,mar abril,abr mayo,may junio,jun julio,jul agosto,ago"
        " septiembre,sept,sep,setiembre octubre,oct noviembre,nov diciembre,dic",
        "lunes|lun|martes|miércoles|miercoles|mié|jueves|jue|viernes|vie|sábado|sabado|sáb|domingo|dom",
    ),
    Language(
        "it",
        "il|in data|il giorno|lì|alle",
        "ha scritto|scrisse|scrive|scriveva|ha scritto quanto segue",
        "ha scritto il",
        "da|mittente",
        "inviato|data|data invio|inviata|inviato il",
        "a|destinatario",
        "copia|c.c.|cc|per conoscenza",
        "oggetto",
        "messaggio originale|messaggio originario|messaggio di origine",
        "messaggio inoltrato|inizio messaggio inoltrato|inoltrato da|messaggio girato",
        "gennaio,gen febbraio,feb marzo,mar aprile,apr maggio,mag giugno,giu luglio,lug agosto,ago settembre,sett,set"
        " ottobre,ott novembre,nov dicembre,dic",
        "lunedì|lunedi|lun|martedì|martedi|mar|mercoledì|mercoledi|mer|giovedì|giovedi|gio|venerdì|venerdi|ven|sabato|sab"
        "|domenica|dom",
    ),
    Language(
        "pt",
        "em|no dia|a",
        "escreveu|escreveu o seguinte|escreveram|escreve",
        "escreveu em|escreveu no dia",
        "de|remetente",
        "enviado|enviada|data|enviada em|enviado em|enviada a",
        "para|destinatário",
        "cópia|c/c|com cópia",
        "assunto",
        "mensagem original|mensagem de origem",
        "mensagem encaminhada|mensagem reencaminhada|início da mensagem encaminhada|início da mensagem reencaminhada"
        "|encaminhado por|mensagem encaminhada por",
        "janeiro,jan fevereiro,fev março,mar,marco abril,abr maio,mai junho,jun julho,jul agosto,ago setembro,set"
        " outubro,out novembro,nov dezembro,dez",
        "segunda|segunda-feira|seg|terça|terça-feira|ter|quarta|quarta-feira|qua|quinta|quinta-feira|qui|sexta"
        "|sexta-feira|sex|sábado|sáb|domingo|dom",
    ),
    Language(
        "ro",
        "în|pe|la data de|in data de|la",
        "a scris|a scris următoarele|scrie",
        "a scris",
        "de la|de|expeditor",
        "trimis|data|dată|trimisă|trimis la",
        "către|catre|pentru|la",
        "copie",
        "subiect",
        "mesaj original|mesajul original|mesaj inițial",
        "mesaj redirecționat|mesaj redirectionat|începutul mesajului redirecționat|mesaj retransmis|redirecționat de",
        "ianuarie,ian februarie,feb martie,mar aprilie,apr mai iunie,iun iulie,iul august,aug septembrie,sept,sep"
        " octombrie,oct noiembrie,noi decembrie,dec",
        "luni|lun|marți|marti|mar|miercuri|mie|joi|vineri|vin|sâmbătă|sambata|duminică|duminica",
    ),
    Language(
        "ca",
        "el|el dia",
        "va escriure|ha escrit|escrigué",
        "va escriure",
        "de|remitent",
        "enviat|data|enviat el",
        "per a|a|destinatari",
        "còpia|a/c",
        "assumpte|tema",
        "missatge original",
        "missatge reenviat|inici del missatge reenviat",
        "gener,gen febrer,febr març abril,abr maig juny juliol,jul agost,ag setembre,set octubre,oct novembre,nov"
        " desembre,des",
        "dilluns|dl|dimarts|dt|dimecres|dc|dijous|dj|divendres|dv|dissabte|ds|diumenge|dg",
    ),
)
