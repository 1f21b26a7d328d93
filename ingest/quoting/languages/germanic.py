"""What mail programs write around quotations in Germanic languages."""

from __future__ import annotations

from typing import Final

from ingest.quoting.languages.language import Language

GERMANIC: Final[tuple[Language, ...]] = (
    Language(
        "en",
        "on|at|in",
        "wrote|writes|said|wrote the following|has written|wrote as follows",
        "wrote on|wrote at|wrote in|wrote the following on|writes on",
        "from|sender",
        "sent|date|sent on|date sent|sent at|received",
        "to|recipient|recipients",
        "cc|copy|copies to|copy to",
        "subject|re",
        "original message|original mail|original email|original e-mail|original|reply message|reply separator"
        "|message from",
        "forwarded message|forwarded|forwarded mail|forwarded email|forwarded letter|begin forwarded message"
        "|start of forwarded message|inline attachment follows|forwarded by",
        "january,jan february,feb march,mar april,apr may june,jun july,jul august,aug september,sept,sep"
        " october,oct november,nov december,dec",
        "monday|mon|tuesday|tue|tues|wednesday|wed|thursday|thu|thur|thurs|friday|fri|saturday|sat|sunday|sun",
    ),
    Language(
        "de",
        "am|um",
        "schrieb|geschrieben|hat geschrieben|schrieb folgendes|schreibt",
        "schrieb|hat am|schrieb am",
        "von|absender",
        "gesendet|datum|gesendet am|versendet|versandt am",
        "an|empfänger",
        "kopie|kopie an",
        "betreff|betrifft",
        "ursprüngliche nachricht|originalnachricht|original-nachricht|ursprüngliche mail|urspr. nachricht"
        "|originalmail|original-mail|ursprüngliche e-mail",
        "weitergeleitete nachricht|anfang der weitergeleiteten nachricht|weitergeleitete mail|weitergeleitet von"
        "|weitergeleitete e-mail|beginn der weitergeleiteten nachricht",
        "januar,jan,jänner februar,feb,feber märz,mär,mrz april,apr mai juni,jun juli,jul august,aug september,sep,sept"
        " oktober,okt november,nov dezember,dez",
        "montag|mo|dienstag|di|die|mittwoch|mi|mit|donnerstag|do|don|freitag|fr|fre|samstag|sa|sam|sonnabend|sonntag|so|son",
    ),
    Language(
        "nl",
        "op",
        "schreef|geschreven|heeft geschreven|het volgende geschreven|schreef het volgende|volgende geschreven",
        "schreef|heeft",
        "van|afzender",
        "verzonden|datum|verstuurd|verzonden op",
        "aan|ontvanger",
        "kopie|cc",
        "onderwerp|betreft",
        "oorspronkelijk bericht|origineel bericht|oorspronkelijke bericht|originele bericht"
        "|oorspronkelijk e-mailbericht",
        "doorgestuurd bericht|begin doorgestuurd bericht|doorgestuurde bericht|doorgestuurd door"
        "|begin van doorgestuurd bericht",
        "januari,jan februari,feb maart,mrt april,apr mei juni,jun juli,jul augustus,aug september,sep,sept"
        " oktober,okt november,nov december,dec",
        "maandag|ma|dinsdag|di|woensdag|wo|donderdag|do|vrijdag|vr|zaterdag|za|zondag|zo",
    ),
    Language(
        "da",
        "den|d.",
        "skrev|skrev følgende|har skrevet",
        "skrev",
        "fra|afsender",
        "sendt|dato|sendt den",
        "til|modtager",
        "kopi|cc",
        "emne",
        "oprindelig meddelelse|oprindelig besked|original meddelelse|original besked|oprindelig mail",
        "videresendt meddelelse|videresendt besked|start på videresendt besked|begyndelse på videresendt meddelelse"
        "|videresendt mail|videresendt af|begynd videresendt besked",
        "januar,jan februar,feb marts,mar april,apr maj juni,jun juli,jul august,aug september,sep,sept oktober,okt"
        " november,nov december,dec",
        "mandag|man|tirsdag|tir|tirs|onsdag|ons|torsdag|tor|tors|fredag|fre|lørdag|lør|søndag|søn",
    ),
    Language(
        "nb",
        "den|på",
        "skrev|skrev følgende|har skrevet",
        "skrev",
        "fra|avsender",
        "sendt|dato|sendt den",
        "til|mottaker",
        "kopi",
        "emne",
        "opprinnelig melding|original melding|opprinnelig epost|opprinnelig e-post",
        "videresendt melding|start på videresendt melding|begynnelse på videresendt melding|videresendt av"
        "|videresendt e-post|videresend melding",
        "januar,jan februar,feb mars,mar april,apr mai juni,jun juli,jul august,aug september,sep,sept oktober,okt"
        " november,nov desember,des",
        "mandag|man|tirsdag|tir|tirs|onsdag|ons|torsdag|tor|tors|fredag|fre|lørdag|lør|søndag|søn",
    ),
    Language(
        "sv",
        "den|på",
        "skrev|skrev följande|har skrivit",
        "skrev",
        "från|avsändare",
        "skickat|datum|sänt|skickades|skickat den",
        "till|mottagare",
        "kopia|kopia till",
        "ämne|rubrik",
        "ursprungligt meddelande|originalmeddelande|ursprungligt mail|ursprungligt e-postmeddelande",
        "vidarebefordrat meddelande|vidarebefordrat brev|vidarebefordrat av|vidarebefordrat mail"
        "|början på vidarebefordrat meddelande|börja vidarebefordrat meddelande|vidaresänt meddelande",
        "januari,jan februari,feb mars,mar april,apr maj juni,jun juli,jul augusti,aug september,sep,sept oktober,okt"
        " november,nov december,dec",
        "måndag|mån|tisdag|tis|tors|onsdag|ons|torsdag|tor|fredag|fre|lördag|lör|söndag|sön",
    ),
)
