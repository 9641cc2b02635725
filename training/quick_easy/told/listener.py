"""The expert of Quick & Easy, told that its partners play like `listener`: how much better it could recognise them."""

from gramy.bots.quick_easy.partners import LISTENER
from gramy.bots.quick_easy.search import told

BOT = told(LISTENER)
