"""The clock that stands still while code is compiled or loaded."""

import threading
import time

import pytest

from ludus.kernel import COMPILED, clock, entry, is_compiling, prepare, working_s


def test_the_clock_stands_still_in_a_pause_and_goes_on_after_it():
    before = working_s()
    with clock.pauses.one():
        inside = working_s()
        time.sleep(0.02)
        assert working_s() == inside
        assert is_compiling()
    assert not is_compiling()
    assert before <= inside <= working_s() < before + 0.02


def test_pauses_of_two_threads_are_counted_once():
    pauses, both = clock._Pauses(), threading.Barrier(2)

    def pause():
        with pauses.one():
            both.wait()
            time.sleep(0.05)

    begun, before = time.perf_counter(), pauses.clock()
    threads = [threading.Thread(target=pause) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    paused = (time.perf_counter() - begun) - (pauses.clock() - before)
    assert 0.05 <= paused <= time.perf_counter() - begun


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_the_time_of_a_compilation_is_left_out():
    @entry
    def tripled(number):
        return 3 * number

    clocks, watch = (working_s(), time.perf_counter()), time.perf_counter
    prepare(tripled, 1)
    assert working_s() - clocks[0] < 0.5 * (watch() - clocks[1])
    assert tripled(2) == 6
