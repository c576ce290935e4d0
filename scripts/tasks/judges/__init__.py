"""Recorded judges of the four tasks: what each looks at, and what it submits about each subject's deliverables."""
