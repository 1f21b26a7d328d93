"""What mail programs write around quotations in Slavic languages."""

from __future__ import annotations

from typing import Final

from ingest.quoting.languages.language import Language

SLAVIC: Final[tuple[Language, ...]] = (
    Language(
        "pl",
        "w dniu|dnia|dn.|w",
        "napisał(a)|napisał|napisała|pisze|napisał/a|napisali|napisał(-a)",
        "napisał(a)|napisał|napisała",
        "od|nadawca",
        "wysłano|data|wysłane|data wysłania|wysłany",
        "do|adresat|odbiorca",
        "dw|do wiadomości|kopia",
        "temat",
        "wiadomość oryginalna|oryginalna wiadomość|wiadomość pierwotna|treść oryginalnej wiadomości",
        "wiadomość przekazana dalej|przekazana wiadomość|treść przekazanej wiadomości|początek przekazywanej wiadomości"
        "|przesłana dalej wiadomość|wiadomość przesłana dalej|przekazana przez|przekazane przez",
        "stycznia,styczeń,sty lutego,luty,lut marca,marzec,mar kwietnia,kwiecień,kwi maja,maj czerwca,czerwiec,cze"
        " lipca,lipiec,lip sierpnia,sierpień,sie września,wrzesień,wrz października,październik,paź"
        " listopada,listopad,lis grudnia,grudzień,gru",
        "poniedziałek|pon|wtorek|wt|wto|środa|śr|czwartek|czw|piątek|pt|pią|sobota|sob|niedziela|niedz|ndz",
    ),
    Language(
        "cs",
        "dne|v|dňa",
        "napsal(a)|napsal|napsala|napsal/a|odpověděl|píše",
        "napsal(a)|napsal",
        "od|odesílatel",
        "odesláno|datum|odeslané",
        "komu|příjemce",
        "kopie",
        "předmět|věc",
        "původní zpráva|původní e-mail|puvodni zprava",
        "přeposlaná zpráva|předaná zpráva|začátek přeposílané zprávy|přeposlal|začátek přeposlané zprávy",
        "ledna,leden,led února,únor,úno března,březen,bře dubna,duben,dub května,květen,kvě června,červen,čvn"
        " července,červenec,čvc srpna,srpen,srp září,zář října,říjen,říj listopadu,listopad,lis prosince,prosinec,pro",
        "pondělí|po|úterý|út|středa|st|čtvrtek|čt|pátek|pá|sobota|so|neděle|ne",
    ),
    Language(
        "sk",
        "dňa|v",
        "napísal(a)|napísal|napísala|napísal/a",
        "napísal(a)|napísal",
        "od|odosielateľ",
        "odoslané|dátum|poslané",
        "komu|pre|príjemca",
        "kópia",
        "predmet|vec",
        "pôvodná správa|pôvodný e-mail",
        "preposlaná správa|začiatok preposlanej správy|postúpená správa",
        "januára,január,jan februára,február,feb marca,marec,mar apríla,apríl,apr mája,máj júna,jún júla,júl"
        " augusta,august,aug septembra,september,sep októbra,október,okt novembra,november,nov decembra,december,dec",
        "pondelok|po|utorok|ut|streda|st|štvrtok|št|piatok|pi|sobota|so|nedeľa|ne",
    ),
    Language(
        "ru",
        "в|от|на",
        "написал|написал(а)|написала|пишет|писал|писал(а)|написали",
        "написал|написал(а)|написала",
        "от|от кого|отправитель",
        "отправлено|дата|отправлен|когда",
        "кому|получатель",
        "копия",
        "тема|предмет",
        "исходное сообщение|оригинальное сообщение|исходное письмо|первоначальное сообщение"
        "|пересылаемое исходное сообщение",
        "пересылаемое сообщение|пересланное сообщение|начало пересылаемого сообщения|пересылаемое письмо"
        "|перенаправленное сообщение|переслано|начало переадресованного сообщения|пересланное письмо",
        "января,январь,янв февраля,февраль,февр,фев марта,март,мар апреля,апрель,апр мая,май июня,июнь,июн"
        " июля,июль,июл августа,август,авг сентября,сентябрь,сент,сен октября,октябрь,окт ноября,ноябрь,нояб,ноя"
        " декабря,декабрь,дек",
        "понедельник|пн|вторник|вт|среда|ср|среду|четверг|чт|пятница|пятницу|пт|суббота|субботу|сб|воскресенье|вс",
    ),
    Language(
        "uk",
        "в|від|у",
        "пише|написав|написав(-ла)|написала|пише наступне|писав",
        "пише|написав",
        "від|від кого|відправник",
        "надіслано|дата|відправлено",
        "кому|до|одержувач",
        "копія",
        "тема",
        "вихідне повідомлення|оригінальне повідомлення|початкове повідомлення",
        "переслане повідомлення|перенаправлене повідомлення|початок пересланого повідомлення",
        "січня,січень,січ лютого,лютий,лют березня,березень,бер квітня,квітень,квіт травня,травень,трав"
        " червня,червень,черв липня,липень,лип серпня,серпень,серп вересня,вересень,вер жовтня,жовтень,жовт"
        " листопада,листопад,лист грудня,грудень,груд",
        "понеділок|пн|вівторок|вт|середа|середу|ср|четвер|чт|п'ятниця|п'ятницю|пт|субота|суботу|сб|неділя|неділю|нд",
    ),
    Language(
        "bg",
        "на|в",
        "написа|пише|писа",
        "написа",
        "от|подател",
        "изпратено|дата|изпратен",
        "до|получател",
        "копие",
        "относно|тема",
        "оригинално съобщение|първоначално съобщение",
        "препратено съобщение|начало на препратеното съобщение",
        "януари,яну февруари,фев март,мар април,апр май юни юли август,авг септември,сеп октомври,окт ноември,ное"
        " декември,дек",
        "понеделник|вторник|сряда|четвъртък|петък|събота|неделя",
    ),
    Language(
        "hr",
        "dana|u|dne|dana:",
        "napisao je|napisao/la je|napisala je|je napisao|je napisala|je napisao/la|napisao|piše|je napisao(la)|пише",
        "napisao je|je napisao|napisao",
        "od|šalje|pošiljatelj|šalje:",
        "poslano|datum|poslato|poslano:",
        "za|prima|prima:|kome",
        "kopija",
        "predmet|tema|naslov",
        "izvorna poruka|originalna poruka|изворна порука",
        "proslijeđena poruka|prosleđena poruka|početak proslijeđene poruke|начало прослеђене поруке",
        "siječnja,siječanj,sij,januara veljače,veljača,velj,februara ožujka,ožujak,ožu,marta travnja,travanj,tra,aprila"
        " svibnja,svibanj,svi,maja lipnja,lipanj,juna srpnja,srpanj,jula kolovoza,kolovoz,kol,avgusta rujna,rujan,ruj"
        " listopada,listopad,lis,oktobra studenoga,studeni,stu,studenog,novembra prosinca,prosinac,decembra",
        "ponedjeljak|ponedeljak|pon|utorak|uto|srijeda|sreda|sri|četvrtak|čet|petak|pet|subota|sub|nedjelja|nedelja|ned",
    ),
    Language(
        "sl",
        "dne|v",
        "je napisal|je napisala|napisal|napisala|je napisal/-a|je napisal/a|je napisal(a)|piše",
        "je napisal",
        "od|pošiljatelj",
        "poslano|datum",
        "za|prejemnik",
        "kp|v vednost",
        "zadeva",
        "izvirno sporočilo",
        "posredovano sporočilo|začetek posredovanega sporočila",
        "januar,januarja,jan februar,februarja,feb marec,marca,mar april,aprila,apr maj,maja junij,junija,jun"
        " julij,julija,jul avgust,avgusta,avg september,septembra,sep oktober,oktobra,okt november,novembra,nov"
        " december,decembra,dec",
        "ponedeljek|torek|sreda|četrtek|petek|sobota|nedelja",
    ),
)
