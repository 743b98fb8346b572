"""What is not collected where something is missing: training modules need the training environment."""

from importlib.util import find_spec

TRAINING = ["models/torch_setup.py", "models/pose.py", "tests/models/test_pose.py"]
collect_ignore_glob = [] if find_spec("torch") else TRAINING
