"""Learning environments in the form of gymnasium (an extra: pip install gelenk[rl])."""

from __future__ import annotations

import os
from typing import Any, Callable, Mapping, Sequence

import numpy as np

try:
    import gymnasium
except ImportError as error:  # pragma: no cover
    raise ImportError("gelenk.rl needs gymnasium: pip install gelenk[rl]") from error

from .errors import SimulationError, UsageError
from .model import Model, load
from .simulator import Simulator, advance_all
from .values import Number, number, seconds

__all__ = ["Env", "VectorEnv"]

# Outputs that are added to the model to compute a reward and an end in it.
REWARD, DONE = "learning_reward", "learning_done"
Function = Callable[[np.ndarray], float]


class _Task:
    """What all copies of an environment share."""

    def __init__(self, model: Model | str | os.PathLike, actions: Sequence[str], observations: Sequence[str],
                 control_step: Number, reward: str | Function, done: str | Function | None,
                 limits: Mapping[str, tuple[Number, Number]] | None, episode: Number | None,
                 spread: Mapping[str, Number] | None, set: Mapping[str, Number] | None, run: Mapping[str, Any]):
        model = model.copy() if isinstance(model, Model) else load(model)
        self.actions, self.observations = list(actions), list(observations)
        self.control_step = seconds("control_step", control_step)
        self.episode = None if episode is None else seconds("episode", episode)
        if not self.control_step > 0.0:
            raise UsageError("control_step must be positive")
        self.reward = self._in_model(model, REWARD, reward)
        # A condition, and outputs are numbers.
        condition = f"=if({done.removeprefix('=')}, 1, 0)" if isinstance(done, str) else done
        self.done = self._in_model(model, DONE, condition)
        self.machine = model.assemble(set)
        self.run = dict(run)
        self.start_noise = {name: float(value) for name, value in (spread or {}).items()}
        unknown = [name for name in [*self.actions, *self.start_noise] if name not in self.machine.inputs]
        if unknown:
            raise UsageError(f"'{unknown[0]}' is not an input of the model; it has {', '.join(self.machine.inputs) or 'none'}")
        bounds = [self._limits(name, limits or {}) for name in self.actions]
        self.low = np.array([low for low, _ in bounds])
        self.high = np.array([high for _, high in bounds])
        self.names = self.observations + [name for name in (REWARD, DONE) if name in self.machine.channels]

    @staticmethod
    def _in_model(model: Model, name: str, wanted: str | Function | None) -> str | Function | None:
        if not isinstance(wanted, str):
            return wanted
        model.add("outputs", name, wanted)
        return name

    @staticmethod
    def _limits(name: str, limits: Mapping[str, tuple[Number, Number]]) -> tuple[float, float]:
        low, high = limits.get(name, (-np.inf, np.inf))
        return tuple(float(one) if not isinstance(one, str) else number(name, one, "number") for one in (low, high))

    def simulator(self) -> Simulator:
        return self.machine.simulator(**self.run)


class _Copy:
    """One machine of an environment."""

    def __init__(self, task: _Task):
        self.task = task
        self.simulator = task.simulator()
        self.look = self.simulator.observer(task.names)
        self.size = len(self.look.names) - len(task.names) + len(task.observations)
        self.steps = 0

    def reset(self, random: np.random.Generator) -> np.ndarray:
        self.simulator.reset()
        self.steps = 0
        for name, size in self.task.start_noise.items():
            self.simulator.inputs[name] = random.uniform(-size, size)
        return self.look()[:self.size].copy()

    def put(self, action: np.ndarray) -> float:
        """Sets the inputs, and returns the time until which they are held."""
        for name, value in zip(self.task.actions, np.clip(action, self.task.low, self.task.high), strict=True):
            self.simulator.inputs[name] = float(value)
        self.steps += 1
        return self.steps * self.task.control_step

    def result(self) -> tuple[np.ndarray, float, bool, bool]:
        values = self.look()
        seen = values[:self.size].copy()
        return seen, self._rate(self.task.reward, values, seen, 0.0), bool(
            self._rate(self.task.done, values, seen, 0.0)), self._is_over()

    def _rate(self, wanted: str | Function | None, values: np.ndarray, seen: np.ndarray, otherwise: float) -> float:
        if wanted is None:
            return otherwise
        if isinstance(wanted, str):
            return float(values[self.look.names.index(wanted)])
        return float(wanted(seen))

    def _is_over(self) -> bool:
        episode = self.task.episode
        return episode is not None and self.steps * self.task.control_step >= episode * (1.0 - 1e-12)


class Env(gymnasium.Env):
    """A machine as an environment.

    actions: inputs of the model. observations: channels. control_step: time for which an action is held.
    reward, done: expressions of the model ("=1 - hinge.angle^2"), or functions of the observation.
    limits: of the actions, SI. episode: after this time the episode is truncated. spread: inputs that get a random
    value within +- this at every reset. What else there is goes to Machine.simulator(): method, step, tolerance.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, model: Model | str | os.PathLike, *, actions: Sequence[str], observations: Sequence[str],
                 control_step: Number, reward: str | Function, done: str | Function | None = None,
                 limits: Mapping[str, tuple[Number, Number]] | None = None, episode: Number | None = None,
                 spread: Mapping[str, Number] | None = None, set: Mapping[str, Number] | None = None, **run: Any):
        self._task = _Task(model, actions, observations, control_step, reward, done, limits, episode, spread, set, run)
        self._copy = _Copy(self._task)
        self.action_space = gymnasium.spaces.Box(self._task.low, self._task.high, dtype=np.float64)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (self._copy.size,), np.float64)

    @property
    def simulator(self) -> Simulator:
        return self._copy.simulator

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        super().reset(seed=seed)
        return self._copy.reset(self.np_random), {}

    def step(self, action):
        until = self._copy.put(np.asarray(action, dtype=np.float64))
        try:
            self._copy.simulator.advance(until)
        except SimulationError as error:
            seen, reward, _, truncated = self._copy.result()
            return seen, reward, True, truncated, {"error": str(error)}
        return *self._copy.result(), {}


class VectorEnv(gymnasium.vector.VectorEnv):
    """n copies of one machine, advanced on threads. Same bits as n environments one by one.

    Copies that have ended are reset in the next step, as gymnasium's AutoresetMode.NEXT_STEP says.
    """

    metadata: dict[str, Any] = {"autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}

    def __init__(self, number: int, model: Model | str | os.PathLike, *, actions: Sequence[str],
                 observations: Sequence[str], control_step: Number, reward: str | Function,
                 done: str | Function | None = None, limits: Mapping[str, tuple[Number, Number]] | None = None,
                 episode: Number | None = None, spread: Mapping[str, Number] | None = None,
                 set: Mapping[str, Number] | None = None, **run: Any):
        task = _Task(model, actions, observations, control_step, reward, done, limits, episode, spread, set, run)
        self._copies = [_Copy(task) for _ in range(number)]
        self.num_envs = number
        self.single_action_space = gymnasium.spaces.Box(task.low, task.high, dtype=np.float64)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (self._copies[0].size,), np.float64)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, number)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, number)
        self._random = [np.random.default_rng() for _ in self._copies]
        self._has_ended = np.zeros(number, dtype=bool)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None):
        if seed is not None:
            seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else list(seed)
            self._random = [gymnasium.utils.seeding.np_random(one)[0] for one in seeds]
        self._has_ended[:] = False
        return np.stack([one.reset(random) for one, random in zip(self._copies, self._random, strict=True)]), {}

    def step(self, actions):
        going = [i for i in range(self.num_envs) if not self._has_ended[i]]
        until = [self._copies[i].put(actions[i]) for i in going]
        advance_all([self._copies[i].simulator for i in going], until)
        seen = np.empty(self.observation_space.shape)
        rewards = np.zeros(self.num_envs)
        terminated, truncated = np.zeros((2, self.num_envs), dtype=bool)
        for i, one in enumerate(self._copies):
            if self._has_ended[i]:
                seen[i] = one.reset(self._random[i])
            else:
                seen[i], rewards[i], terminated[i], truncated[i] = one.result()
        self._has_ended = terminated | truncated
        return seen, rewards, terminated, truncated, {}
