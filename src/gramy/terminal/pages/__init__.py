"""The pages of the application: playing, dialogs, replay. They draw on a canvas and do not need Textual."""
