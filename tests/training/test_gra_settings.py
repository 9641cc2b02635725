"""The settings of three to six players in which levels and exploiters of GRA are measured."""

from collections import Counter

from training.gra.settings import SETTINGS, options_text, sampled_settings


def test_the_sample_has_all_numbers_of_players_both_bid_orders_and_every_variant() -> None:
    settings = sampled_settings()
    assert len({tuple(options.items()) for options in settings}) == SETTINGS
    assert Counter(options["players"] for options in settings) == {"3": 6, "4": 6, "5": 6, "6": 6}
    for name in ("jokers", "directions", "fewer_cards", "longer_game"):
        assert 4 <= sum(name in options for options in settings) <= 20
    assert 4 <= sum(options["bid_order"] == "quantity_first" for options in settings) <= 20
    assert settings == sampled_settings()


def test_options_are_written_as_words_of_a_command_line_without_the_default_bid_order() -> None:
    options = {"players": "4", "jokers": "on", "bid_order": "value_first"}
    assert options_text(options) == "players=4 jokers=on"
    assert options_text(options | {"bid_order": "quantity_first"}) == "players=4 jokers=on bid_order=quantity_first"
