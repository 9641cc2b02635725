"""Training of the network of Face to Face: `python -m training.face_to_face --help`."""
