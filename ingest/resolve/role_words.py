"""Words that name a function instead of a person in the local part of an address, language by language.

All are written as ``names.fold`` leaves them: lower case, without accents; "ue" beside "u" where addresses have both.
"""

from __future__ import annotations

from typing import Final

# Any of these as a word of the local part: no person is called so.
ANYWHERE: Final = frozenset(
    """
    noreply donotreply nepasrepondre postmaster mailerdaemon daemon webmaster hostmaster newsletter newsletters
    announce announcement announcements notification notifications notify alert alerts bounce bounces autoreply
    autoresponder helpdesk undisclosed unsubscribe subscribe subscription subscriptions listserv majordomo owner request
    mailman mailing maillist digest list lists support customerservice customercare webinfo feedback survey surveys
    promotions promo offers offer moderator moderators reply replies confirm confirmation communications
    """.split()
)  # fmt: skip

# These as the whole local part, or beside nothing but other such words: alone they are also names or parts of one.
ALONE: Final = frozenset(
    """
    info contact contacts office admin administrator administration sales service services marketing press media news
    help jobs job careers career recruiting recruitment hr humanresources team staff everyone all members billing
    accounts accounting accountspayable accountsreceivable ap ar orders order invoice invoices payments booking bookings
    reservations reception frontdesk enquiries enquiry inquiries inquiry mail email webmail mailbox root system security
    abuse privacy legal compliance events event editor editors editorial letters customer customers client clients
    membership registration registrar secretary secretariat president chairman ceo cfo board committee council dept
    department research analyst training travel fax pager scanner printer calendar conference room test user users
    guest anonymous nobody noone unknown noaddress group groups community program programs it eng engineering operations
    ops desk trading finance corporate public relations publicrelations investor investorrelations benefits payroll
    planning safety quality library parking housing shipping purchasing maintenance facilities post hello ask web
    kontakt buero vertrieb service presse personal leitung direktion empfang post zentrale technik
    bewerbung rechnung direction rh ventes mairie courrier contacto ventas prensa correo rrhh facturacion
    comptabilite accueil ufficio amministrazione vendite posta stampa geral vendas imprensa balie verkoop winkel
    kontor bilgi destek biuro obchod iroda ured pisarna
    """.split()
)  # fmt: skip

# A department, a desk, or what an address is for. Beside another word ("einkauf.nord") they still say so, unless the
# address is made of its one user's name, as it is where a mail system put departments into names.
_DEPARTMENTS: Final = {
    "English": "reservation reservations accountspayable accountsreceivable payables receivables procurement billing "
    "payroll humanresources recruitment admissions enrollment enrolment bursar concierge housekeeping frontdesk "
    "frontoffice backoffice techsupport switchboard hotline boxoffice ticketing donations fundraising rsvp bookings "
    "invoices enquiries inquiries registrations submissions complaints dispatch logistics warehouse webteam sysadmin "
    "secretariat reception dl dlist distribution employees everyone subscribers",
    "German": "anfrage anfragen bestellung bestellungen buchung buchungen reservierung reservierungen rechnung "
    "rechnungen einkauf verkauf vertrieb bewerbung bewerbungen anmeldung anmeldungen bibliothek rathaus ausschreibung "
    "ausschreibungen reklamation reklamationen versand geschaeftsfuehrung geschaftsfuhrung bauamt standesamt "
    "ordnungsamt sozialamt jugendamt finanzamt",
    "French": "commande commandes achats facturation factures comptabilite compta accueil recrutement scolarite "
    "administratif serviceclient serviceclients abonnement abonnements inscription inscriptions communication "
    "redaction logistique billetterie appelsdoffres",
    "Spanish": "contratacion contrataciones compras pedidos reservas facturacion contabilidad administracion "
    "secretaria direccion gerencia recepcion atencion atencionalcliente soporte comunicacion recursoshumanos "
    "licitaciones inscripciones matriculas consultas reclamaciones tesoreria logistica mantenimiento empleo",
    "Italian": "ordini acquisti fatturazione fatture contabilita amministrazione segreteria direzione prenotazioni "
    "prenotazione assistenza ufficiostampa ufficioacquisti commerciale risorseumane iscrizioni redazione magazzino "
    "biglietteria protocollo appalti",
    "Portuguese": "encomendas faturacao faturamento financeiro administracao diretoria direcao recepcao rececao "
    "atendimento suporte contratacao licitacao licitacoes cobranca comunicacao inscricoes ouvidoria",
    "Catalan": "comandes compres vendes reserves facturacio comptabilitat administracio contractacio comunicacio "
    "recepcio",
    "Dutch": "bestelling bestellingen boeking boekingen reservering reserveringen facturen facturatie boekhouding "
    "inkoop secretariaat receptie personeelszaken redactie sollicitatie sollicitaties directie magazijn aanmelding "
    "aanmeldingen",
    "Danish, Norwegian, Swedish": "bestilling bestillinger regnskab regnskap bogholderi indkob innkjop salg postmottak "
    "tilmelding pamelding okonomi forsaljning bestallning bestallningar bokning bokningar ekonomi fakturor faktura "
    "inkop kansli kansliet registrator vaxel anmalan",
    "Finnish, Estonian": "myynti tilaukset laskutus varaukset varaus kirjanpito hallinto palaute kirjaamo rekrytointi "
    "ilmoittautuminen muuk tellimus tellimused raamatupidamine kantselei",
    "Polish": "sprzedaz zamowienia zamowienie rezerwacja rezerwacje ksiegowosc kadry reklamacje obsluga obslugaklienta "
    "zakupy faktury serwis przetargi rekrutacja redakcja",
    "Czech, Slovak": "objednavky objednavka ucetni uctaren uctarna fakturace fakturacia podpora rezervace rezervacie "
    "reklamace reklamacie prodej predaj nakup podatelna recepce recepcia redakce personalni",
    "Hungarian": "ugyfelszolgalat rendeles rendelesek szamlazas konyveles foglalas titkarsag ertekesites beszerzes "
    "szerkesztoseg",
    "Romanian": "comenzi vanzari rezervari contabilitate achizitii facturare relatiiclienti registratura",
    "Croatian, Slovene, Serbian": "prodaja narudzbe rezervacije racunovodstvo podrska tajnistvo nabava narocila "
    "urednistvo natjecaji",
    "Turkish": "satıs satis siparis siparisler rezervasyon muhasebe iletisim insankaynaklari satinalma "
    "musterihizmetleri",
    "Greek": "paraggelies logistirio kratiseis",
    "Russian, Ukrainian, Bulgarian": "zakaz zakazy prodazhi buhgalteria bukhgalteria priemnaya otdel zakupki porachki "
    "schetovodstvo",
    "Indonesian, Vietnamese, Japanese": "pemasaran penjualan pemesanan keuangan lienhe hotro tuyendung ketoan datphong "
    "toiawase eigyo saiyo",
}
DEPARTMENTS: Final = frozenset(word for words in _DEPARTMENTS.values() for word in words.split())

# What such words end with in languages that write them together: "bauleitung", "guestservices", "klantenservice".
HEADS: Final = (
    "leitung", "abteilung", "verwaltung", "buchhaltung", "sekretariat", "redaktion", "betreuung", "beratung", "planung",
    "dienst", "buero", "zentrale", "werkstatt", "poststelle", "pressestelle", "geschaeftsstelle",
    "services", "service", "support", "department", "office", "desk",
    "administratie", "afdeling", "afdelingen", "beheer", "avdeling", "avdelingen", "avdelning", "avdelningen",
    "tjanst", "kontoret", "sekretariatet",
    "palvelu", "toimisto", "osasto", "osztaly",
)  # fmt: skip

# As words of a name that stands beside an address.
NAME_WORDS: Final = frozenset(
    """
    team group list department administrator office committee council board center centre helpdesk desk newsletter
    announcement announcements subscribers members undisclosed recipients mailing daemon system distribution everyone
    services support customer notification notifications alert alerts digest
    abteilung sekretariat redaktion kundenservice vertrieb equipo departamento oficina equipe redaction redazione
    redaccion segreteria ufficio avdelning avdeling afdeling biuro
    """.split()
)  # fmt: skip
