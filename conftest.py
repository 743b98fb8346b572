"""What is not collected where something is missing: training modules need the training environment."""

from importlib.util import find_spec

TRAINING = [
    "models/torch_setup.py",
    "models/speed.py",
    "models/warm_start.py",
    "models/schedule.py",
    "models/export.py",
    "models/*_net.py",
    "models/*_train.py",
    "models/*_data.py",
    "tests/models/test_training.py",
    "tests/models/test_ultralytics.py",
]
# Alembic runs its environment itself; imported by anybody else it has no connection.
collect_ignore_glob = ["service/store/migrations/env.py", *([] if find_spec("torch") else TRAINING)]
