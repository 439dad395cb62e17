"""One small function for each thing that may be the matter with a received mail."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from services.mail import robots
from services.mail.addresses import addresses
from services.mail.body import Words, read_words
from services.mail.commands.grammar import Given, needed
from services.mail.commands.table import Needs
from services.mail.context import Context, GameContext, bare_id
from services.mail.digests import text_digest
from services.mail.identity import Identity, identify, sides_of
from services.mail.message import InboundMessage
from services.mail.signatures import Resolve, Unanswered, check_signatures
from services.mail.stamps import results_of


@dataclass
class Case:
    """A mail before the gate, with what is found out about it when a check first asks."""

    message: InboundMessage
    context: Context
    raw: bytes = b""
    resolve: Resolve | None = None

    @cached_property
    def identity(self) -> Identity:
        return identify(self.message, self.context)

    @cached_property
    def words(self) -> Words:
        return read_words(self.message)

    @property
    def commands(self) -> tuple[Given, ...]:
        """The commands of the mail, if it has some in place of orders."""
        return self.words.commands

    @cached_property
    def level(self) -> Needs | None:
        """What its commands ask for; None: it has none."""
        return needed(self.commands) if self.commands else None

    @cached_property
    def named(self) -> str | None:
        """The one game that the commands name, None where they name none, or several."""
        games = {str(one.args["game"]) for one in self.commands if one.args.get("game")}
        return games.pop() if len(games) == 1 else None

    @cached_property
    def about(self) -> tuple[GameContext | None, str | None]:
        """The game and side that a mail with commands is about: what the commands name, else the token, else where the sender plays."""
        identity = self.identity
        if self.context.vouched and identity.side is not None and self.named in (None, identity.game and identity.game.id):
            return identity.game, identity.side
        if self.named is None and identity.registered:
            return identity.game, identity.side
        if self.named is not None and identity.registered and identity.game is self.context.game(self.named):
            return identity.game, identity.side
        sides = [pair for pair in sides_of(identity.sender, self.context) if self.named is None or pair[0] is self.context.game(self.named)]
        if len(sides) == 1:
            return sides[0]
        game = self.context.game(self.named) if self.named and (sides or identity.sender in self.context.masters) else None
        return game, None

    @property
    def trust(self) -> str:
        """``token``: that of the open turn of the game that the mail is about, from an address that it belongs to; ``address``: only a
        player's address; ``master``: a command of the game master's, which the gate lets through from him alone; ``stranger``.
        """
        if self.level == "master":
            return "master"
        live = self.identity.how is not None and not self.identity.stale and self.identity.registered
        if live and (not self.commands or self.about == (self.identity.game, self.identity.side)):
            return "token"
        return "address" if is_known_sender(self) else "stranger"

    @cached_property
    def digest(self) -> str:
        """That of the order lines where there are some, so that what relays add to a copy counts for nothing; else of all words."""
        return text_digest("\n".join(self.words.lines) or self.words.text)

    @cached_property
    def message_id(self) -> str:
        return self.message.first("message-id").strip()

    @cached_property
    def bounces(self) -> tuple[frozenset[str], frozenset[str]]:
        """Addresses that failed for a while, and those that failed for good."""
        return robots.failures(self.message)

    @cached_property
    def returned(self) -> tuple[str, ...]:
        """The Message-IDs of the mails that a report returns, wherever it quotes their headers."""
        return robots.returned(self.message, self.raw)

    @cached_property
    def results(self) -> tuple[dict[str, set[str]], bool]:
        """What our own server found (method -> results), and whether its stamp is the topmost of all; what is found here where it stamps
        nothing and ``check_dkim`` is set. A DKIM result counts only where the sender's own domain has signed.
        """
        if self._stamp is not None:
            at, value = self._stamp
            try:
                return results_of(value, self._domain), at == 0
            except Exception:  # our own stamp is not to be read: nothing is proven
                return {"unreadable": {"fail"}}, at == 0
        if self.context.check_dkim and (is_known_sender(self) or self.identity.sender in self.context.masters):
            return {"dkim": {check_signatures(self.raw, self._domain, self._key_of)}}, True
        return {}, False

    @property
    def checked_here(self) -> bool:
        """Whether our own server has stamped nothing, so that what is known of the sender is found here."""
        return self._stamp is None

    @cached_property
    def _stamp(self) -> tuple[int, str] | None:
        """The topmost stamp of our own server, and where among all it stands."""
        for at, value in enumerate(self.message.all("authentication-results")):
            name = value.split(";")[0].split()
            if name and name[0].lower() == self.context.server.lower():
                return at, value
        return None

    @property
    def _domain(self) -> str:
        return self.identity.sender.partition("@")[2]

    def _key_of(self, name: str) -> str | None:
        if self.context.keys is not None:
            return self.context.keys.get(name)
        if self.resolve is None:
            raise Unanswered(name)
        return self.resolve(name)


def is_hard_bounce(case: Case) -> bool:
    """A mail of ours could not be delivered, for good."""
    return bool(case.bounces[1])


def is_other_report(case: Case) -> bool:
    """A report of any other kind: delayed, delivered, read."""
    return robots.is_any_report(case.message)


def is_automatic(case: Case) -> bool:
    """Sent by a program without a human hand (RFC 3834 and the older signs)."""
    return robots.is_automatic(case.message)


def is_list(case: Case) -> bool:
    """Sent over a mailing list or in bulk."""
    return robots.is_list(case.message)


def is_our_own(case: Case) -> bool:
    """From the order address itself: a loop."""
    local, _, domain = case.context.address.partition("@")
    return any(a.partition("@")[2] == domain and a.partition("@")[0].split("+")[0] == local for a in addresses(*case.message.all("from")))


def has_no_sender(case: Case) -> bool:
    """No single address stands in ``From:``."""
    return not case.identity.sender


def is_confirmed(case: Case) -> bool:
    """The registered address has said that this mail is its own; or it answers a question that only that address was sent."""
    if case.context.vouched or (case.identity.asked is not None and case.identity.registered):
        return True
    return bool(case.message_id) and bare_id(case.message_id) in {bare_id(known) for known in case.context.confirmed}


def has_failed_authentication(case: Case) -> bool:
    """A DMARC or DKIM failure was found, or the check could not be made, or there is no pass where the operator demands one."""
    found, topmost = case.results
    dkim = found.get("dkim", set())
    failed = "fail" in found.get("dmarc", set()) or bool(dkim & {"fail", "temperror"} and "pass" not in dkim) or "unreadable" in found
    return failed or (case.context.demand_pass and not (topmost and ("pass" in found.get("dmarc", set()) or "pass" in dkim)))


def is_proven(case: Case) -> bool:
    """Our own server, with the topmost stamp, found that the sender's domain vouches for the mail."""
    found, topmost = case.results
    return topmost and "pass" in found.get("dmarc", set())


def has_passed(case: Case) -> bool:
    """DMARC, or DKIM of the sender's own domain, has passed, by the topmost stamp or found here."""
    found, topmost = case.results
    return topmost and ("pass" in found.get("dmarc", set()) or "pass" in found.get("dkim", set()))


def is_known_sender(case: Case) -> bool:
    """The sender plays in a game that is open here."""
    return bool(sides_of(case.identity.sender, case.context))


def is_open_call(case: Case) -> bool:
    """Nothing but commands that anybody may give; from a stranger whose domain does not vouch for him only those with which he may knock.

    None from him whom our own server doubts.
    """
    if is_masters_word(case):
        return True
    if case.level != "open" or has_failed_authentication(case):
        return False
    return is_known_sender(case) or is_proven(case) or all(one.command.knocks and not one.fault for one in case.commands)


def is_for_the_master(case: Case) -> bool:
    """A command of the game master's, from anybody else; a player with such a command is told so."""
    return case.level == "master" and case.identity.sender not in case.context.masters


def is_masters(case: Case) -> bool:
    """A command of the game master's, from him: his domain vouches for it, or he has said himself that it is his."""
    if case.level != "master" or case.identity.sender not in case.context.masters:
        return False
    return case.context.vouched or (has_passed(case) and not has_failed_authentication(case))


def is_masters_unverified(case: Case) -> bool:
    """A command in the name of the game master, for which nothing vouches: an address in ``From`` is not enough for what he may do."""
    return case.level == "master" and case.identity.sender in case.context.masters and not is_masters(case)


def is_unanswered(case: Case) -> bool:
    """All that speaks against the sender is that the name servers do not answer now, and the mail can wait."""
    if not case.context.patient or case.results[0] != {"dkim": {"temperror"}} or not case.results[1]:
        return False
    return case.checked_here and (is_unverified(case) or is_masters_unverified(case))


def is_masters_word(case: Case) -> bool:
    """An answer of the game master's by a code that was mailed to his address alone: it proves him, whatever his mail server says."""
    if not case.commands or case.identity.sender not in case.context.masters:
        return False
    return all(one.verb in ("ACCEPT", "REFUSE") and one.args.get("code") for one in case.commands)


def is_unverified(case: Case) -> bool:
    """The name of a player, but our server doubts that it is he. Nobody is asked about a mail that is of no use if it is his own."""
    if (is_stale(case) and case.identity.registered) or is_masters_word(case):
        return False
    return is_known_sender(case) and has_failed_authentication(case) and not is_confirmed(case)


def is_surely_theirs(case: Case) -> bool:
    """From a registered address of the side whose token, of this turn or an earlier one, it bears, and nothing speaks against it."""
    identity = case.identity
    if identity.how is None or not (identity.registered or is_confirmed(case)):
        return False
    return is_confirmed(case) or not has_failed_authentication(case)


def is_from_new_address(case: Case) -> bool:
    """A good token of an open turn from an address that is registered nowhere."""
    identity = case.identity
    if is_open_call(case) or is_masters(case):
        return False
    return not is_known_sender(case) and identity.how is not None and not identity.stale and not is_confirmed(case)


def is_provable_stranger(case: Case) -> bool:
    """Nobody that plays here, but surely who he says, so that an answer goes to the right person."""
    if is_open_call(case) or is_masters(case):
        return False
    return not is_known_sender(case) and not is_confirmed(case) and is_proven(case) and not has_failed_authentication(case)


def is_stranger(case: Case) -> bool:
    """Nobody that plays here; an answer might go to somebody whose name was borrowed."""
    if is_open_call(case) or is_masters(case):
        return False
    return not is_known_sender(case) and not is_confirmed(case)


def is_foreign_game(case: Case) -> bool:
    """Two games are named, or one that is not open here, or one in which the sender has no side."""
    identity = case.identity
    if case.level in ("open", "master"):  # the game master is told which of them there is not
        return False
    if case.level is not None and case.named is not None:
        return case.about[0] is None
    if identity.clash:
        return True
    if identity.game is None:
        return identity.named is not None
    return is_known_sender(case) and all(game is not identity.game for game, _ in sides_of(identity.sender, case.context))


def is_wrong_side(case: Case) -> bool:
    """The token belongs to another side of the game in which the sender plays."""
    if case.level in ("open", "address", "master"):
        return False
    return case.identity.how is not None and not case.identity.registered and not is_confirmed(case)


def is_without_token(case: Case) -> bool:
    """Neither address nor thread nor subject bears a token that was ever good; a question needs none if it is clear which game is meant."""
    if case.level in ("open", "master"):
        return False
    if case.level == "address":
        return case.about[1] is None
    return case.identity.how is None


def is_stale(case: Case) -> bool:
    """The token is of a game-turn that is closed; to ask a question, an old one does."""
    if case.level in ("open", "address", "master"):
        return False
    return case.identity.stale


def is_duplicate(case: Case) -> bool:
    """Taken before: same game, side, Message-ID and body. Relays change line ends and encodings, so each form counts."""
    game, side = case.about if case.commands else (case.identity.game, case.identity.side)
    if game is None or side is None:
        return False
    digests = {case.digest, *case.message.body_digests, text_digest("\n".join(case.words.lines))}
    for seen in case.context.seen:
        if (seen.game.lower(), seen.side) != (game.id.lower(), side) or bare_id(seen.message_id) != bare_id(case.message_id):
            continue
        if seen.closed and not case.identity.stale:
            continue  # known from a closed turn only: whoever had that turn's token cannot make a mail of this one a copy
        if seen.digest in digests or (seen.digest is None and case.message_id):
            return True
    return False


def is_too_big(case: Case) -> bool:
    """More bytes, lines or orders than any turn needs."""
    return "too-big" in case.message.faults or case.words.too_many


def is_too_complex(case: Case) -> bool:
    """More MIME parts, or deeper, than a mail program makes."""
    return "too-complex" in case.message.faults


def is_damaged(case: Case) -> bool:
    """A part whose transfer encoding is broken: half of it must not be read."""
    return "damaged" in case.message.faults


def has_two_sets(case: Case) -> bool:
    """Body and attachment hold different orders."""
    return case.words.differ


def is_forwarded_only(case: Case) -> bool:
    """The only orders stand in a mail that was forwarded."""
    return case.words.elsewhere == "forward"


def is_quoted_only(case: Case) -> bool:
    """The only orders stand in what the mail quotes."""
    return case.words.elsewhere in ("quotation", "history")


def is_encrypted(case: Case) -> bool:
    """No orders, and a part that only its key opens."""
    return has_no_orders(case) and "encrypted" in case.message.faults


def is_winmail(case: Case) -> bool:
    """No orders, and a winmail.dat that may hold them."""
    return has_no_orders(case) and "winmail" in case.message.faults


def has_no_orders(case: Case) -> bool:
    """Nothing in it is an order, or a command."""
    return not case.words.lines and not case.commands
