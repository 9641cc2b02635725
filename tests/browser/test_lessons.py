"""The lessons of the three games: by touch, by keyboard and by mouse, each in another language."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from gramy import text
from tests.browser.accessibility import violations
from tests.browser.geometry import unreachable
from tests.browser.players import BID, CHECK, CONFIRM, REVEAL, Touch, edge
from tests.browser.users import PHONE, Users, text_of, title
from tests.lessons.scripts import LESSONS, TEACHER, Lesson, Step

ON_A_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "reduced_motion": "no-preference"}
CONTINUE = ".teacher-foot .primary"
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
BY_GAME = {lesson.game: lesson for lesson in LESSONS}


class Learner:
    """Takes a lesson in one language with a mouse."""

    def __init__(self, page: Page, lesson: Lesson, language: str) -> None:
        self.page, self.lesson, self.language = page, lesson, language

    def learn(self) -> None:
        """Take the lesson from the lobby to the last sentence."""
        game = self.lesson.game
        link = self.page.get_by_role(
            "link", name=f"{text_of('learn', self.language)}: {title(game, self.language)}", exact=True
        )
        self.press(link)
        for number, step in enumerate(self.lesson.steps, 1):
            sentence = text.catalogue("lesson", self.language)[step.say].replace("{name}", TEACHER)
            expect(self.page.locator(".teaching p").first).to_have_text(sentence)
            expect(self.page.locator(".lesson-steps .on")).to_have_count(number)
            if step.move:
                self.do(step)
            elif number < len(self.lesson.steps):
                self.press(self.page.locator(CONTINUE))

    def press(self, what: Locator) -> None:
        what.click()

    def do(self, step: Step) -> None:
        verb, *rest = step.move.split()
        page = self.page
        match verb:
            case "end" | "start":
                self.press(page.locator(f"[data-button={verb}][data-highlighted]"))
            case "say":
                self.press(page.locator(f"[data-about={rest[0]}]"))
                phrase = page.locator(".phrases button[data-highlighted]")
                expect(phrase).to_contain_text(_band(rest[1], self.language))
                self.press(phrase)
            case "choose":
                cards = page.locator("button.gra-card[data-highlighted]")
                for left in range(cards.count(), 0, -1):
                    expect(cards).to_have_count(left)  # a card that is right needs no other touch
                    self.press(cards.first)
                self.press(page.locator(f"{CONFIRM}[data-highlighted]"))
            case "bid":
                number, value = rest[0].split("x")
                self.press(page.locator(".gra-value").nth(int(value) - 1))
                while page.locator(".gra-number").inner_text() != number:
                    self.press(page.locator(".gra-step").last)
                expect(page.locator("[data-highlighted]")).to_have_count(1)
                self.press(page.locator(f"{BID}[data-highlighted]"))
            case "check":
                self.press(page.locator(CHECK))
                expect(page.locator(REVEAL)).to_be_visible()
                expect(page.locator(".teacher")).to_be_hidden()  # the sentence would spoil the reveal
                verdict = page.locator(f"{REVEAL} .gra-truth")
                if not verdict.is_visible():  # on a slow machine it came by itself, and the button closes it
                    self.press(page.locator(f"{REVEAL} footer button"))  # shows the verdict at once
                expect(verdict).to_be_visible()
                self.press(page.locator(f"{REVEAL} footer button"))
            case pile:
                self.lay(rest[0], pile)

    def lay(self, card: str, pile: str) -> None:
        held = self.page.locator(f'[data-card="{card}"]')
        held.click(position=edge(held))
        self.page.locator(f'[data-pile="{pile}"]').click(force=True)  # a dimmed pile can be clicked too


class TouchLearner(Learner):
    """Takes a lesson by touch: taps buttons and drags cards."""

    def press(self, what: Locator) -> None:
        what.tap()

    def lay(self, card: str, pile: str) -> None:
        touch = Touch(self.page)
        touch.drag_on(self.page.locator(f'[data-card="{card}"]'), self.page.locator(f'[data-pile="{pile}"]'))


class KeyboardLearner(Learner):
    """Takes a lesson with keys only."""

    def press(self, what: Locator) -> None:
        expect(what).to_be_visible()  # a hidden element takes no focus
        self.page.evaluate(TWO_FRAMES)  # a new page moves the focus to its content
        what.focus()
        self.page.keyboard.press("Enter")

    def do(self, step: Step) -> None:
        if step.move in ("end", "start"):
            self.page.keyboard.press(step.move[0])
        else:
            super().do(step)

    def lay(self, card: str, pile: str) -> None:
        self.press(self.page.locator(f'[data-card="{card}"]'))
        target = self.page.locator(f'[data-pile="{pile}"]')
        self.page.keyboard.press(target.get_attribute("aria-keyshortcuts") or "")


def _band(band: str, language: str) -> str:
    return text_of("board_band", language, "quick-easy", band=band)


def test_face_to_face_by_touch_in_polish(users: Users) -> None:
    page = users.open_page("/", locale="pl", **ON_A_PHONE)
    TouchLearner(page, BY_GAME["face-to-face"], "pl").learn()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.locator(CONTINUE).tap()
    page.wait_for_url("**/t/*")
    expect(page.locator("[data-card]").first).to_be_visible()


def test_quick_easy_by_keyboard_in_german(users: Users) -> None:
    page = users.open_page("/", locale="de")
    KeyboardLearner(page, BY_GAME["quick-easy"], "de").learn()
    expect(page.locator(CONTINUE)).to_be_focused()
    assert violations(page) == []
    page.get_by_role("button", name=text_of("lesson_again", "de")).click()
    expect(page.locator(".lesson-steps .on")).to_have_count(1)


def test_gra_by_mouse(users: Users) -> None:
    page = users.open_page("/", reduced_motion="no-preference")
    Learner(page, BY_GAME["gra"], "en").learn()


def test_another_move_than_the_one_asked_for_is_refused_with_a_reason(users: Users) -> None:
    page = users.open_page("/learn/face-to-face")
    page.locator(CONTINUE).click()
    expect(page.locator("[data-card='4'][data-highlighted]")).to_be_visible()
    assert violations(page) == []
    learner = Learner(page, BY_GAME["face-to-face"], "en")
    learner.lay("33", "up")
    expect(page.locator(".note")).to_have_text(text_of("lesson_elsewhere"))
    page.keyboard.press("Escape")
    learner.lay("33", "help-up")  # against the rules, so the reason is that of the rules
    expect(page.locator(".note")).to_have_text(text_of("nothing_to_improve", "en", "face-to-face"))
    expect(page.locator(".lesson-steps .on")).to_have_count(2)


@pytest.mark.parametrize("path", ["/", "/rules/gra"])
def test_a_lesson_can_be_skipped(users: Users, path: str) -> None:
    page = users.open_page(path)
    page.locator("a[href='/learn/gra']").click()
    page.get_by_role("button", name=text_of("lesson_skip")).click()
    page.wait_for_url("**/t/*")
    expect(page.locator(CONFIRM)).to_be_visible()


def test_a_refusal_in_gra_is_wholly_visible_on_a_phone_and_goes_with_the_correction(users: Users) -> None:
    page = users.open_page("/learn/gra", viewport={"width": 390, "height": 844}, locale="de")
    while page.locator("button.gra-card[data-highlighted]").count() == 0:
        page.locator(CONTINUE).click()
        page.evaluate(TWO_FRAMES)
    page.locator(CONFIRM).click()
    refusal = page.locator(".gra-refusal")
    expect(refusal).to_have_text(text_of("lesson_elsewhere", "de"))
    expect(refusal).to_be_in_viewport(ratio=1)
    assert unreachable(page) == []
    page.locator("button.gra-card[data-highlighted]").first.click()
    expect(refusal).to_have_count(0)
