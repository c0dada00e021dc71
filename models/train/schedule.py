"""How the learning rate goes, and when a stage ends: after a number of steps, or at a
time, with the schedule stretched to it."""

import time


def rate(progress, peak, warm_up, floor=0.0):
    """Linear up to peak over the first warm_up of a stage, linear down to floor * peak."""
    progress = min(max(progress, 0.0), 1.0)
    if progress < warm_up:
        return peak * progress / warm_up
    return peak * (floor + (1 - floor) * (1 - progress) / max(1 - warm_up, 1e-9))


class Clock:
    """A stage's progress from 0 to 1, by steps or by seconds, whichever is first. Seconds
    of earlier runs of an interrupted stage count."""

    def __init__(self, steps, seconds=None, step=0, spent=0.0, now=time.monotonic):
        self.steps, self.seconds, self.step = max(1, steps), seconds, step
        self._now, self._begin = now, now() - spent

    def spent(self):
        return self._now() - self._begin

    def progress(self):
        done = self.step / self.steps
        if self.seconds:
            done = max(done, self.spent() / self.seconds)
        return min(done, 1.0)

    def left(self):
        """Seconds to go, by what was seen so far; None at the start."""
        done = self.progress()
        if done <= 0:
            return None
        return self.spent() * (1 - done) / done
