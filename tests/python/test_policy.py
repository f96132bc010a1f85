"""A scheduler driven by hand."""

import pytest

import vecusim

MS = 1_000_000


def test_credit2_shares_by_weight():
    policy = vecusim.Policy("credit2", pcpus=1)
    heavy, light = (policy.add_unit(policy.add_domain(weight=weight)) for weight in (512, 256))
    policy.wake(heavy)
    policy.wake(light)
    policy.run_until(3_000 * MS)
    ran = [policy.totals_ns(unit)["running"] for unit in (heavy, light)]
    assert sum(ran) == 3_000 * MS
    assert ran[0] / ran[1] == pytest.approx(2.0, rel=0.05)


def test_the_rate_limit_protects_who_runs():
    policy = vecusim.Policy("credit2", boot={"ratelimit_us": 1000})
    hog, edge = (policy.add_unit(policy.add_domain()) for _ in range(2))
    policy.wake(hog)
    policy.run_until(50 * MS)
    policy.take_passes()
    policy.wake(edge)
    while policy.runstate(edge) != "running":
        policy.run_until(policy.now_ns + 10_000)
    switched = [one for one in policy.take_passes() if one.next == edge]
    assert switched[0].previous == hog and switched[0].pcpu == 0
    policy.block(edge)
    assert policy.running() == [hog] and policy.runstate(edge) == "blocked"


def test_rtds_keeps_its_budget():
    policy = vecusim.Policy("rtds", pcpus=1)
    unit = policy.add_unit(policy.add_domain(), period_ns=10 * MS, budget_ns=4 * MS, extratime=False)
    policy.wake(unit)
    policy.run_until(1_000 * MS)
    assert policy.totals_ns(unit)["running"] == pytest.approx(400 * MS, abs=4 * MS)
    assert "budget" in policy.figures(unit)


def test_arinc653_follows_its_table():
    policy = vecusim.Policy("arinc653")
    a, b = (policy.add_unit(policy.add_domain()) for _ in range(2))
    policy.set_table(10 * MS, [(a, 7 * MS), (b, 3 * MS)])
    policy.wake(a)
    policy.wake(b)
    policy.run_until(105 * MS)
    policy.take_passes()
    policy.run_until(108 * MS)
    assert [(one.at_ns, one.next) for one in policy.take_passes()] == [(107 * MS, b)]


def test_what_cannot_be_meant_is_refused():
    with pytest.raises(vecusim.InvalidInput, match='did you mean "credit2"'):
        vecusim.Policy("credit3")
    with pytest.raises(vecusim.InvalidInput) as caught:
        vecusim.Policy("credit2", boot={"ratelimt_us": 1})
    assert caught.value.problems[0]["suggestion"] == "ratelimit_us"
    policy = vecusim.Policy("credit2")
    with pytest.raises(ValueError, match="a unit that was added"):
        policy.wake(0)
    unit = policy.add_unit(policy.add_domain())
    with pytest.raises(ValueError, match="a unit that is running"):
        policy.block(unit)
    with pytest.raises(ValueError, match="not before now"):
        policy.run_until(-1)
    with pytest.raises(ValueError, match="pCPUs of this machine"):
        policy.add_unit(0, [1])
