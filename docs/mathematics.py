"""The formulas of measures as mathematics: the plain notation of a terminal becomes MathML, which browsers set by themselves.

A formula is written once, in the measure's file, as in ``κ = 1 - Σ_gp w_gp c_gp / Σ_gp w_gp e_gp,   e_gp = G_g P_p / N``. Three
spaces or a new line separate its parts; a slash between spaces divides whole products, one without spaces its two neighbours.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)"
    r"|(?P<word>[A-Za-z]{2,}(?:-[A-Za-z]{2,})+"  # cut-off, ICM-Norm
    r"|[a-z]\w*@[\w+]+|[a-z]{3,}[_=][a-z]{3,}"  # names of measures, and settings of them
    r"|(?<=[a-z])'(?!\w))"  # items'
    r"|(?P<name>(?:[A-Za-z]{2,}[0-9]*|[A-Za-zΑ-ω△▽µḡ]\u0304?[0-9]*(?:'(?!s\b)|\*(?![A-Za-z0-9])|\+(?=[|)}\s,]|$))?))"
    r"|(?P<possessive>'s\b)"
    r"|(?P<dots>\.\.)"
    r"|(?P<operator>\|\||[^\s])"
)
_SUMS = {"Σ", "Π"}
_LIMITS = {"min", "max"}
_FUNCTIONS = {"sqrt", "log2", "ln", "mean", *_LIMITS}
_POWERS = {"²": "2", "³": "3"}
_SIGNS = {"-": "−", "*": "∗", "'": "′", "||": "‖", "..": "…"}
_PAUSES = ("<mo>,</mo>", "<mo>;</mo>")
_RELATIONS = ("≤", "≥", "<", ">", "=", ":", "in")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_SIGN = re.compile(
    r"(?<![\w'`/.])(?:\w*[A-Za-zα-ωΑ-Ω][*+']?[_^]\w+(?:[_^]\w+)?|[A-Zα-ω][+*](?=\W|$)|[B-HJ-Zb-zα-ω])(?![\w'`/.-])"
)  # in a sentence: what has an index, and single letters but for the words of one letter
_ARTICLES = {"a", "A"}
_SPACE = '<mspace width="0.17em"/>'


@dataclass(frozen=True)
class Token:
    """A piece of a formula, and whether it stands apart from what comes before it."""

    kind: str
    text: str
    apart: bool


@dataclass(frozen=True)
class Node:
    """A part of a formula: what it is set as, and the letters in it that run over something (or are free)."""

    set_as: str
    kind: str = "atom"  # or "operator", "sum", "group", "words"
    letters: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    inside: str = ""  # of a group: what stands between the brackets
    apart: bool = False

    @property
    def bare(self) -> str:
        """Itself, without brackets around it."""
        return self.inside or self.set_as


def formula_html(formula: str) -> str:
    """A formula as paragraphs, a part in each; words stay text, so that long lines wrap."""
    parts = re.split(r",\s{3,}|;?\n", formula)
    return "\n".join(f'<p class="formula">{_paragraph(part.strip())}</p>' for part in parts if part.strip())


def sentence_html(sentence: str) -> str:
    """A sentence about the signs of a formula: signs as mathematics, words as they are."""
    pieces, end = [], 0
    for found in _SIGN.finditer(sentence):
        pieces += [html.escape(sentence[end : found.start()], quote=False), _paragraph(found[0])]
        end = found.end()
    return "".join([*pieces, html.escape(sentence[end:], quote=False)])


def _paragraph(text: str) -> str:
    """A part of a formula: stretches of mathematics with words between them; a line may break at an equals sign or comma."""
    pieces: list[str] = []
    for stretch in _stretches(_Reader(text).sequence("")):
        mark = stretch.pop().set_as[len("<mo>")] if stretch[-1].set_as in _PAUSES else ""
        if stretch and stretch[0].kind == "words":
            pieces.append(" ".join(node.set_as for node in stretch))
        elif stretch:
            opened = _folded(stretch).replace('<mo form="infix">', '<mo form="infix" lspace="0" rspace=".3em">', 1)
            opens = stretch[0].set_as.endswith(">=</mo>")  # the space before the sign is that between the two
            pieces.append(f'<math displaystyle="true">{opened if opens else _folded(stretch)}</math>')
        pieces.append(mark)
    return re.sub(r"(?: (?=[,;]|'s\b))", "", " ".join(piece for piece in pieces if piece))


def _stretches(nodes: Sequence[Node]) -> Iterator[list[Node]]:
    """Neighbours that are set together: words, or mathematics up to an equals sign or a comma."""
    held: list[Node] = []
    for node in nodes:
        changes = held and node.set_as not in _PAUSES and (node.kind == "words") != (held[-1].kind == "words")
        if changes or (held and node.set_as.endswith(">=</mo>")):
            yield held
            held = []
        held.append(node)
        if node.set_as in _PAUSES:
            yield held
            held = []
    if held:
        yield held


def _tokens(text: str) -> list[Token]:
    found, apart = [], False
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "space":
            apart = True
            continue
        found.append(Token(str(match.lastgroup), match[0], apart))
        apart = False
    return found


class _Reader:
    """Reads a formula from left to right."""

    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.place = 0
        self.bars = 0  # absolute values that are open

    def sequence(self, closing: str) -> list[Node]:
        """The nodes up to a closing bracket, which is passed."""
        nodes: list[Node] = []
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            if token.text == closing and token.kind == "operator" and (closing != "|" or not token.apart):
                self.place += 1
                return nodes
            nodes.append(self._node(token, nodes, closing))
        return nodes

    def _node(self, token: Token, before: Sequence[Node], closing: str) -> Node:
        self.place += 1
        if token.text == "in" and closing == "}":
            return Node("<mo>∈</mo>", "operator", apart=token.apart)
        if token.kind in ("word", "possessive") or (token.kind == "name" and self._is_word(token)):
            divided = bool(before) and before[-1].kind == "slash"
            text = html.escape(token.text, quote=False)
            return Node(f"<mtext>{text}</mtext>" if divided else text, "atom" if divided else "words", apart=token.apart)
        if token.kind == "number":
            return self._scripted(Node(f"<mn>{token.text}</mn>", apart=token.apart))
        if token.kind == "name" or token.text in _SUMS:
            return self._named(token)
        if token.text in _CLOSING or (token.text == "|" and self._opens(before)):
            group = self._group(token)
            return group if group.kind == "words" else self._scripted(group)
        return self._operator(token)

    def _operator(self, token: Token) -> Node:
        if token.text == "/":
            following = self.tokens[self.place : self.place + 1]
            loose = token.apart and bool(following) and following[0].apart
            return Node("loose" if loose else "tight", "slash", apart=token.apart)
        form = ' form="infix"' if token.text == "=" else ""
        return Node(f"<mo{form}>{html.escape(_SIGNS.get(token.text, token.text))}</mo>", "operator", apart=token.apart)

    def _is_word(self, token: Token) -> bool:
        """Whether a name is a word of a sentence: it is lower case, has no index and is applied to nothing."""
        following = self.tokens[self.place] if self.place < len(self.tokens) else None
        if following is not None and following.text in ("_", "^", "(") and not following.apart:
            return False
        if token.text in _ARTICLES:
            neighbours = [self.tokens[place] for place in (self.place - 2, self.place) if 0 <= place < len(self.tokens)]
            return all(re.fullmatch("[a-z]{2,}", one.text) for one in neighbours)
        return re.fullmatch("[a-z]{2,}", token.text) is not None and token.text not in _FUNCTIONS - {"mean"}

    def _opens(self, before: Sequence[Node]) -> bool:
        """Whether a bar opens an absolute value; the one of H(G|L) stands close between two names."""
        token = self.tokens[self.place - 1]
        following = self.tokens[self.place : self.place + 1]
        return token.apart or not before or before[-1].kind in ("operator", "slash") or not following or following[0].apart

    def _group(self, token: Token) -> Node:
        closing = "|" if token.text == "|" else _CLOSING[token.text]
        nodes = self.sequence(closing)
        if all(node.kind == "words" for node in nodes):
            return Node(f"{token.text}{' '.join(node.set_as for node in nodes)}{closing}", "words", apart=token.apart)
        inside = _folded(nodes)
        # Brackets around a single fraction say what its bar says already.
        alone = token.text == "(" and [one.kind for one in nodes] == ["atom", "slash", "atom"] and nodes[1].set_as == "tight"
        around = inside if alone else f"<mo>{token.text}</mo>{inside}<mo>{closing}</mo>"
        bracketed = token.text in "(["
        return Node(
            f"<mrow>{around}</mrow>", "group" if bracketed else "atom", _letters(nodes),
            inside=f"<mrow>{inside}</mrow>" if bracketed else "", apart=token.apart,
        )  # fmt: skip

    def _named(self, token: Token) -> Node:
        if token.text in _SUMS:
            return self._sum(token)
        if token.text == "sqrt" and self._next("("):
            self.place += 1
            nodes = self.sequence(")")
            return Node(f"<msqrt>{_folded(nodes)}</msqrt>", letters=_letters(nodes), apart=token.apart)
        if token.text == "log2":
            return self._applied(Node("<msub><mi>log</mi><mn>2</mn></msub>", apart=token.apart))
        name = token.text.rstrip("'*+")
        mark = token.text[len(name) :]
        letters = frozenset({name}) if len(name) == 1 else frozenset()
        set_as = f"<mi>{name}</mi>"
        node = Node(set_as, letters=letters, apart=token.apart)
        if token.text in _LIMITS and self._next("_"):
            self.place += 1
            script, over = self._script()
            node = Node(f"<munder>{set_as}{script}</munder>", bound=over, apart=token.apart)
        if token.text in _FUNCTIONS and not self._next("("):
            return Node(f"{_SPACE}{node.set_as}{_SPACE}", bound=node.bound, apart=token.apart)
        return self._applied(self._scripted(node, f"<mo>{_SIGNS.get(mark, mark)}</mo>" if mark else ""))

    def _applied(self, function: Node) -> Node:
        """A name with what it is applied to, as in H(G): never taken apart by a fraction."""
        if not self._next("("):
            return function
        self.place += 1
        nodes = self.sequence(")")
        inside = f"<mrow>{function.set_as}<mo>&#x2061;</mo><mrow><mo>(</mo>{_folded(nodes)}<mo>)</mo></mrow></mrow>"
        return Node(inside, letters=function.letters | _letters(nodes), apart=function.apart)

    def _next(self, text: str) -> bool:
        return self.place < len(self.tokens) and self.tokens[self.place].text == text and not self.tokens[self.place].apart

    def _sum(self, token: Token) -> Node:
        sign = f'<mo movablelimits="false">{ {"Σ": "∑", "Π": "∏"}[token.text] }</mo>'
        if not self._next("_"):
            return Node(sign, "sum", apart=token.apart)
        self.place += 1
        start = self.place
        script, _ = self._script()
        return Node(f"<munder>{sign}{script}</munder>", "sum", bound=_bound(self.tokens[start : self.place]), apart=token.apart)

    def _script(self) -> tuple[str, frozenset[str]]:
        """What is raised or lowered: one token, or what stands in brackets."""
        token = self.tokens[self.place]
        self.place += 1
        if token.text in ("{", "("):
            nodes = self.sequence(_CLOSING[token.text])
            return f"<mrow>{_folded(nodes)}</mrow>", _letters(nodes)
        if token.kind == "number":
            return f"<mn>{token.text}</mn>", frozenset()
        if token.text in ("△", "▽") and self._next(token.text):
            self.place += 1
            return f"<mrow><mi>{token.text}</mi><mi>{token.text}</mi></mrow>", frozenset()
        if re.fullmatch("[a-z]{2}", token.text):  # two indices, as in c_gp
            return f"<mrow><mi>{token.text[0]}</mi><mi>{token.text[1]}</mi></mrow>", frozenset(token.text)
        if token.kind == "name":
            node = Node(f"<mi>{token.text}</mi>")
            raised = self.tokens[self.place - 2].text == "^"  # 2^rel_i is 2 to the power of rel_i, but F_β^M is F_β, raised M
            return (self._scripted(node) if raised else node).set_as, frozenset(token.text if len(token.text) == 1 else "")
        return f"<mo>{html.escape(_SIGNS.get(token.text, token.text))}</mo>", frozenset()

    def _scripted(self, base: Node, upper: str = "") -> Node:
        """With what is raised and lowered behind it, in either order."""
        lower = ""
        letters = base.letters
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            if token.text in _POWERS and not token.apart:
                self.place += 1
                upper = f"<mn>{_POWERS[token.text]}</mn>"
            elif token.text in ("_", "^") and not token.apart and self.place + 1 < len(self.tokens):
                self.place += 1
                script, within = self._script()
                letters |= within
                lower, upper = (script, upper) if token.text == "_" else (lower, script)
            else:
                break
        if not lower and not upper:
            return base
        tag = "msubsup" if lower and upper else "msub" if lower else "msup"
        return Node(f"<{tag}>{base.set_as}{lower}{upper}</{tag}>", letters=letters, apart=base.apart)


def _bound(tokens: Sequence[Token]) -> frozenset[str]:
    """The letters that a sum runs over: those before the first relation, both of g≠p."""
    letters: list[str] = []
    for token in tokens:
        if token.text in _RELATIONS:
            break
        letters += re.findall("[a-z]", token.text) if len(token.text) <= 2 else []  # two indices at most
    return frozenset(letters)


def _letters(nodes: Sequence[Node]) -> frozenset[str]:
    """The letters that are free in a stretch of nodes."""
    bound = frozenset[str]().union(*(node.bound for node in nodes))
    return frozenset[str]().union(*(node.letters for node in nodes)) - bound


def _folded(nodes: Sequence[Node]) -> str:
    """A stretch of nodes set one after another, with slashes made fractions."""
    done: list[str] = []
    term: list[Node] = []
    for node in nodes:
        if node.kind in ("operator", "words"):
            done += [_term(term), node.set_as if node.kind == "operator" else f"<mtext>&nbsp;{node.set_as}&nbsp;</mtext>"]
            term = []
        else:
            term.append(node)
    return "".join([*done, _term(term)]).replace("&nbsp;</mtext><mtext>", "").replace("&nbsp;</mtext><mtext>&nbsp;'", "'")


def _term(nodes: Sequence[Node]) -> str:
    """A product, which may be divided."""
    factors = _tightened(list(nodes))
    slashes = [place for place, node in enumerate(factors) if node.kind == "slash"]
    if len(slashes) != 1 or slashes[0] in (0, len(factors) - 1):
        return "".join("<mo>/</mo>" if node.kind == "slash" else node.set_as for node in factors)
    above, below = factors[: slashes[0]], factors[slashes[0] + 1 :]
    behind: list[Node] = []
    if below[0].kind == "group":  # what follows the brackets is not divided by
        below, behind = below[:1], below[1:]
    free = _letters(below)
    start = max((place + 1 for place, node in enumerate(above) if node.kind == "sum" and node.bound & free), default=0)
    parts = [node.set_as for node in above[:start]]
    fraction = f"<mfrac>{_side(above[start:])}{_side(below)}</mfrac>"
    return "".join([*parts, fraction, *(node.set_as for node in behind)])


def _tightened(nodes: list[Node]) -> list[Node]:
    """A slash between two neighbours makes a fraction of them; what follows without a space, as in g/2N, is divided by too."""
    done: list[Node] = []
    place = 0
    while place < len(nodes):
        node = nodes[place]
        if node.kind == "slash" and node.set_as == "tight" and done and place + 1 < len(nodes):
            end = place + 2
            while end < len(nodes) and not nodes[end].apart and nodes[end].kind == "atom":
                end += 1
            below = nodes[place + 1 : end]
            above = done.pop()
            fraction = f"<mfrac>{_side([above])}{_side(below)}</mfrac>"
            done.append(Node(fraction, letters=_letters([above, *below]), apart=above.apart))
            place = end
            continue
        done.append(node)
        place += 1
    return done


def _side(nodes: Sequence[Node]) -> str:
    """What stands above or below the line of a fraction: brackets around the whole of it are not needed."""
    if len(nodes) == 1:
        return f"<mrow>{nodes[0].bare}</mrow>"
    return f"<mrow>{''.join(node.set_as for node in nodes)}</mrow>"
