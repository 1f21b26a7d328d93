"""Which domains are organisations: the registrable domain, unless it lends mailboxes to anybody."""

from __future__ import annotations

from functools import cache

from publicsuffixlist import PublicSuffixList

# Providers of private mailboxes and of internet access: an address there says nothing about where a person works.
# A name without a dot stands for that label under any public suffix.
_PROVIDERS = frozenset(
    """
    aim aliceadsl alice aol arcor att.net bellsouth.net bigfoot bigpond blueyonder.co.uk bluewin.ch bol.com.br
    btinternet btopenworld cablevision.net caiway.nl casema.nl centurylink.net centurytel.net charter.net
    chello
    clear.net.nz club-internet.fr cogeco.ca comcast.net compuserve concentric.net cox.net cs.com daum.net
    discover.net
    dodo.com.au duck.com earthlink email.com email.cz embarqmail.com eircom.net emailn.de ev1.net excite
    fastmail
    fastwebnet.it flash.net free.fr freemail freenet freeserve.co.uk freesurf.ch frontier.com frontiernet.net
    gmail
    gmx go.com googlemail gte.net hal-pc.org hanmail.net hetnet.nl hey.com home.com home.nl home.se hotmail
    hush hushmail
    icloud iinet.net.au ig.com.br inbox.lv inbox.ru inet.net.nz inode.at interia.pl internode.on.net
    ix.netcom.com juno kabelmail.de kpnmail.nl kpnplanet.nl laposte.net libero.it list.ru live lycos mac.com
    mail.com
    mail.ru mailbox.org mailcity.com mailfence me.com mediaone.net mindspring msn mweb.co.za myway naver.com
    neo.rr.com
    neostrada.pl netcabo.pt netcom.com netscape.net netzero neuf.fr nifty.com ntlworld o2.pl online.no onet.eu
    onet.pl
    op.pl optonline.net optusnet.com.au orange.fr outlook ozemail.com.au pacbell.net pandora.be pdq.net
    peoplepc.com
    planet.nl pm.me posteo prodigy.net proton protonmail q.com qq.com quicknet.nl rambler.ru rediffmail rediff
    roadrunner.com
    rocketmail rogers.com rr.com runbox.com sapo.pt sbcglobal.net scarlet.be seznam.cz sfr.fr shaw.ca sina.cn
    sina.com
    singnet.com.sg sky.com skynet.be snet.net sohu.com sprintmail.com sunrise.ch suddenlink.net swbell.net
    sympatico.ca t-online.de
    talk21.com talktalk.net tds.net telenet.be telefonica.net telia.com telus.net terra tin.it tiscali tlen.pl
    tom.com tutanota tuta.io tutamail.com uol.com.br upc.nl usa.net usa.com ukr.net verizon.net versatel.nl
    videotron.ca
    virgilio.it virgin.net virginmedia.com vodafone.de voila.fr volny.cz walla.co.il walla.com wanadoo web.de
    webtv.net
    windowslive windstream.net worldonline.nl wp.pl xs4all.nl xtra.co.nz yahoo yahoogroups yandex ymail zoho
    zoznam.sk
    ziggo.nl zonnet.nl 126.com 139.com 163.com 163.net 188.com 21cn.com abv.bg academia.edu accesscomm.ca
    adelphia.net
    ameritech.net cableone.net insightbb.com knology.net mchsi.com nwlink.com pipeline.com pobox.com posta.it
    supanet.com skytel.com pagenet.net myairmail.com airtouch.net mobile.att.net palm.net blackberry.net
    """.split()
)

_SUFFIXES = PublicSuffixList(only_icann=True)

# Top-level names that no registry hands out: those kept for documentation and tests (RFC 2606, RFC 6761) and those
# that organisations use inside their own networks (RFC 6762, appendix G). The label before them is the organisation.
_PRIVATE_TOP_LEVEL = frozenset("example test local localdomain lan internal intranet corp private".split())


@cache
def registrable(domain: str) -> str | None:
    """``mail.research.example.co.uk`` → ``example.co.uk``, ``host.firm.local`` → ``firm.local``; None for what is no
    domain name."""
    labels = domain.strip(". ").lower().split(".")
    if labels[-1] in _PRIVATE_TOP_LEVEL:
        return ".".join(labels[-2:]) if len(labels) > 1 else None
    name: str | None = _SUFFIXES.privatesuffix(".".join(labels), accept_unknown=False)
    return name


@cache
def is_provider(domain: str) -> bool:
    """Whether anybody can have a mailbox there, so that it stands for no organisation."""
    name = registrable(domain)
    return name is not None and (name in _PROVIDERS or name.partition(".")[0] in _PROVIDERS)


@cache
def organization(domain: str) -> str | None:
    """The organisation's domain, None for providers of private mailboxes and for what is no domain."""
    return None if is_provider(domain) else registrable(domain)


@cache
def family(domain: str) -> str | None:
    """What an organisation's domains share: ``example.com``, ``example.net`` and ``mail.example.de`` are
    ``example``.

    Only used together with other evidence; None for providers.
    """
    name = organization(domain)
    label = name.partition(".")[0] if name else None
    return label if label and len(label) > 2 and label not in ("state", "city", "county", "gov") else name
