"""A lesson of each game: by finger, by keys alone and by clicks, each in another language; it is never in the way."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from gramy import text
from tests.browser.access import violations
from tests.browser.players import BID, CHECK, CONFIRM, REVEAL, Finger, edge
from tests.browser.visitors import PHONE, Visitors, title, words
from tests.lessons.scripts import LESSONS, TEACHER, Lesson, Step

ON_A_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "reduced_motion": "no-preference"}
ONWARD = ".teacher-foot .primary"
SEEN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
BY_GAME = {lesson.game: lesson for lesson in LESSONS}


class Learner:
    """Reads the sentences of a lesson in one language, and does with a mouse what they ask for."""

    def __init__(self, page: Page, lesson: Lesson, language: str) -> None:
        self.page, self.lesson, self.language = page, lesson, language

    def learn(self) -> None:
        """From the lobby to the last sentence."""
        game = self.lesson.game
        door = self.page.get_by_role(
            "link", name=f"{words('learn', self.language)}: {title(game, self.language)}", exact=True
        )
        self.press(door)
        for number, step in enumerate(self.lesson.steps, 1):
            sentence = text.catalogue("lesson", self.language)[step.say].replace("{name}", TEACHER)
            expect(self.page.locator(".teaching p").first).to_have_text(sentence)
            expect(self.page.locator(".lesson-steps .on")).to_have_count(number)
            if step.move:
                self.do(step)
            elif number < len(self.lesson.steps):
                self.press(self.page.locator(ONWARD))

    def press(self, what: Locator) -> None:
        what.click()

    def do(self, step: Step) -> None:
        verb, *rest = step.move.split()
        page = self.page
        match verb:
            case "end":
                self.press(page.locator("[data-button=end]"))
            case "say":
                self.press(page.locator(f"[data-about={rest[0]}]"))
                self.press(page.locator(".phrases button", has_text=_band(rest[1], self.language)))
            case "choose":
                for card in page.locator("button.gra-card[data-pointed]").all():
                    self.press(card)
                self.press(page.locator(CONFIRM))
            case "bid":
                number, value = rest[0].split("x")
                self.press(page.locator(".gra-value").nth(int(value) - 1))
                while page.locator(".gra-number").inner_text() != number:
                    self.press(page.locator(".gra-step").last)
                self.press(page.locator(BID))
            case "check":
                self.press(page.locator(CHECK))
                expect(page.locator(REVEAL)).to_be_visible()
                expect(page.locator(".teacher")).to_be_hidden()  # it knows how the story ends
                self.press(page.locator(f"{REVEAL} footer button"))
            case pile:
                self.lay(rest[0], pile)

    def lay(self, card: str, pile: str) -> None:
        held = self.page.locator(f'[data-card="{card}"]')
        held.click(position=edge(held))
        self.page.locator(f'[data-pile="{pile}"]').click(force=True)  # a dimmed one answers too


class FingerLearner(Learner):
    """Taps the buttons and drags the cards."""

    def press(self, what: Locator) -> None:
        what.tap()

    def lay(self, card: str, pile: str) -> None:
        finger = Finger(self.page)
        finger.drag_on(self.page.locator(f'[data-card="{card}"]'), self.page.locator(f'[data-pile="{pile}"]'))


class KeyLearner(Learner):
    """Never touches anything but keys."""

    def press(self, what: Locator) -> None:
        expect(what).to_be_visible()  # what is still hidden takes no focus
        self.page.evaluate(SEEN)  # and a page that has just come puts the focus at its beginning
        what.focus()
        self.page.keyboard.press("Enter")

    def do(self, step: Step) -> None:
        if step.move == "end":
            self.page.keyboard.press("e")
        else:
            super().do(step)

    def lay(self, card: str, pile: str) -> None:
        self.press(self.page.locator(f'[data-card="{card}"]'))
        target = self.page.locator(f'[data-pile="{pile}"]')
        self.page.keyboard.press(target.get_attribute("aria-keyshortcuts") or "")


def _band(band: str, language: str) -> str:
    return words("board_band", language, "quick-easy", band=band)


def test_a_duel_by_finger_in_polish(visitors: Visitors) -> None:
    page = visitors.arrive("/", locale="pl", **ON_A_PHONE)
    FingerLearner(page, BY_GAME["face-to-face"], "pl").learn()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.locator(ONWARD).tap()
    page.wait_for_url("**/t/*")
    expect(page.locator("[data-card]").first).to_be_visible()


def test_a_team_by_keys_in_german(visitors: Visitors) -> None:
    page = visitors.arrive("/", locale="de")
    KeyLearner(page, BY_GAME["quick-easy"], "de").learn()
    expect(page.locator(ONWARD)).to_be_focused()
    assert violations(page) == []
    page.get_by_role("button", name=words("lesson_again", "de")).click()
    expect(page.locator(".lesson-steps .on")).to_have_count(1)


def test_a_bluff_by_clicks(visitors: Visitors) -> None:
    page = visitors.arrive("/", reduced_motion="no-preference")
    Learner(page, BY_GAME["gra"], "en").learn()


def test_what_the_lesson_does_not_ask_for_is_refused_with_a_reason(visitors: Visitors) -> None:
    page = visitors.arrive("/learn/face-to-face")
    page.locator(ONWARD).click()
    expect(page.locator("[data-card='4'][data-pointed]")).to_be_visible()
    assert violations(page) == []
    learner = Learner(page, BY_GAME["face-to-face"], "en")
    learner.lay("33", "up")
    expect(page.locator(".note")).to_have_text(words("lesson_elsewhere"))
    page.keyboard.press("Escape")
    learner.lay("33", "help-up")  # against the rules, so the rules say why
    expect(page.locator(".note")).to_have_text(words("nothing_to_improve", "en", "face-to-face"))
    expect(page.locator(".lesson-steps .on")).to_have_count(2)


@pytest.mark.parametrize("door", ["/", "/rules/gra"])
def test_the_lesson_is_never_in_the_way(visitors: Visitors, door: str) -> None:
    page = visitors.arrive(door)
    page.locator("a[href='/learn/gra']").click()
    page.get_by_role("button", name=words("lesson_skip")).click()
    page.wait_for_url("**/t/*")
    expect(page.locator(CONFIRM)).to_be_visible()
