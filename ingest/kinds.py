"""What kind of mail a message is: written by a person, automated, or a draft, spam, trash or chat.

Told by what programs write into headers for exactly this purpose (RFC 3834, RFC 2369, RFC 3464), by senders that
answer to nobody, and by folders and flags: those of Maildir, of Gmail's export and the names that mail programs give
to their folders in many languages.

A post to a discussion list is a person's mail, although the list's program added its headers: it can be answered there
(List-Post). A newsletter cannot.

A folder "Deleted Items" is *not* trash: Outlook never empties it, people keep mail there for years, and to leave it
out would hide much of a mailbox. Trash is what the program itself is about to throw away: Gmail's Trash and Bin,
Maildir's T flag, Thunderbird's deleted messages that are still in the file.
"""

from __future__ import annotations

import re

from ingest.headers import Headers
from ingest.types import Kind

_DRAFT = (
    "draft drafts entwurf entwürfe brouillon brouillons bozza bozze borrador borradores rascunho "
    "rascunhos concept concepten utkast kladde kladder luonnokset luonnos mustandid roboczy robocze "
    "koncept koncepty rozepsané piszkozat piszkozatok ciorne taslak taslaklar черновик черновики "
    "чернетки чернови πρόχειρα טיוטות المسودات 草稿 草稿箱 下書き 임시보관함 임시-보관함 draf esborranys nháp "
    "wersje-robocze thư-nháp ร่างจดหมาย مسودات"
)
_SPAM = (
    "spam junk junk-email junk-e-mail bulk spamverdacht werbung unerwünscht courrier-indésirable "
    "indésirables pourriel indesiderata posta-indesiderata correo-no-deseado no-deseado "
    "lixo-eletrônico lixo ongewenst ongewenste-e-mail skräppost søppelpost roskaposti rämpspost "
    "wiadomości-śmieci nevyžádaná levélszemét önemsiz спам нежелательная ανεπιθύμητα דואר-זבל 垃圾邮件 "
    "垃圾郵件 垃圾箱 迷惑メール 스팸 스팸함 스팸메일함 nevyžádaná-pošta i-junk"
)
_TRASH = (
    "trash bin papierkorb corbeille cestino papelera lixeira prullenbak papperskorg papirkurv søppel "
    "roskakori prügikast kosz koš kôš lomtár coș çöp-kutusu корзина кошик κάδος אשפה سلة-المهملات "
    "已删除邮件 回收站 垃圾桶 ゴミ箱 휴지통 paperera papperskorgen thùng-rác ถังขยะ sampah tempat-sampah المهملات кошче"
)
_CHAT = "chat chats chat-nachrichten conversations-chat 聊天 チャット 채팅 чаты czat"
_FOLDERS: dict[str, Kind] = {
    **dict.fromkeys(_DRAFT.casefold().split(), "draft"),
    **dict.fromkeys(_SPAM.casefold().split(), "spam"),
    **dict.fromkeys(_TRASH.casefold().split(), "trash"),
    **dict.fromkeys(_CHAT.casefold().split(), "chat"),
}
_PREFIX = re.compile(r"(?:\[(?:gmail|google mail)\]|inbox|ordner|mail)[/.\s]+|[\\_]+", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s_]+")

_ROBOT = re.compile(
    r"(?:no[._-]?reply|do[._-]?not[._-]?reply|not?-?responder|nicht-?antworten|ne-?pas-?repondre|mailer[._-]?daemon|postmaster|"
    r"bounces?|bounce[+-].*|.*[._+-]bounces?|notifications?|notify|alerts?|newsletters?|news|announcements?|"
    r".*[._-](?:no[._-]?reply|notifications?|announcements?|newsletter|alerts?)|(?:no[._-]?reply|notifications?|alerts?)[._+-].*|"
    r"autom(?:ated|ailer|ation)|auto-?(?:reply|responder|confirm)|system-?(?:administrator|admin)?|cron|daemon|root|www-data)@",
    re.IGNORECASE,
)
_BULK = re.compile(r"bulk|junk|auto[_-]reply", re.IGNORECASE)
_AUTO_HEADERS = (
    "feedback-id x-autoreply x-autorespond x-auto-response-suppress x-campaign x-campaignid "
    "x-mailchimp-id x-csa-complaints x-cron-env x-github-reason x-gitlab-project x-jira-fingerprint "
    "x-notifications x-mc-user x-sg-eid x-ses-outgoing x-failed-recipients"
).split()
# set by every Exchange server on people's mail too, when its value does not name automatic answers
_SUPPRESS_ALL = re.compile(r"\ball\b|oof|autoreply", re.IGNORECASE)


def kind_of(headers: Headers, labels: tuple[str, ...] = (), flags: str = "", sender: str = "", type_: str = "") -> Kind:
    """The kind of a message. ``labels`` are folder names or the export's labels, ``flags`` Maildir's letters,
    ``sender`` an address, ``type_`` the MIME type of the whole message."""
    if "T" in flags or _mozilla_deleted(headers):
        return "trash"
    if "D" in flags:
        return "draft"
    told = {kind for label in labels if (kind := folder_kind(label))}
    for kind in ("trash", "spam", "draft", "chat"):
        if kind in told:
            return kind
    if headers.get("x-draft-info") or headers.get("x-unsent") == "1":
        return "draft"
    if headers.get("x-spam-flag").lower().startswith("yes"):
        return "spam"
    return "automated" if _is_automated(headers, sender, type_) else "mail"


def folder_kind(label: str) -> Kind | None:
    """The kind that a folder's name tells: by its last part, so that a subfolder "Old" of "Drafts" tells nothing."""
    name = _PREFIX.sub("", label.rpartition("/")[2]).strip().casefold()
    return _FOLDERS.get(_SEPARATORS.sub("-", name)) or _FOLDERS.get(name)


def _mozilla_deleted(headers: Headers) -> bool:
    """Thunderbird's mark on messages that were deleted and stay in the file until it is compacted."""
    status = headers.get("x-mozilla-status")
    try:
        return bool(int(status, 16) & 0x0008) if status else False
    except ValueError:
        return False


def _is_automated(headers: Headers, sender: str, type_: str) -> bool:
    fields = headers.fields
    submitted = headers.get("auto-submitted").lower()
    if submitted and not submitted.startswith("no"):
        return True
    if type_ == "multipart/report" or ("return-path" in fields and headers.get("return-path").strip() == "<>"):
        return True
    if sender and _ROBOT.match(sender):
        return True
    for name in _AUTO_HEADERS:
        if name in fields:
            if name == "x-auto-response-suppress" and not _SUPPRESS_ALL.search(headers.get(name)):
                continue
            if name == "feedback-id" and _is_discussion(headers):
                continue
            return True
    if _BULK.search(headers.get("precedence")):
        return not _is_discussion(headers)
    if "list-unsubscribe" in fields or "list-id" in fields or headers.get("precedence").lower() == "list":
        return not _is_discussion(headers)
    return False


def _is_discussion(headers: Headers) -> bool:
    """A list that people can write to."""
    return "mailto:" in headers.get("list-post").lower()
