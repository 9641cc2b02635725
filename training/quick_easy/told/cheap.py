"""The expert of Quick & Easy, told that its partners play like `cheap`: how much better it could recognise them."""

from gramy.bots.quick_easy.partners import CHEAP
from gramy.bots.quick_easy.search import told

BOT = told(CHEAP)
