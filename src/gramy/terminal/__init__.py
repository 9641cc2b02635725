"""Play in a terminal: as an application (`app`, `pages`, `boards`), or line by line (`plain`).

Both show views, and use nothing of a match that its seats may not know. `command` chooses between them.
"""
