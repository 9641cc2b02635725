"""The expert of Quick & Easy, told that its partners play like `careful`: how much better it could recognise them."""

from gramy.bots.quick_easy.partners import CAREFUL
from gramy.bots.quick_easy.search import told

BOT = told(CAREFUL)
