# %% [markdown]
# # vecusim in Python: from a published table to one's own board
#
# A notebook as text: editors show its cells, and `python3 docs/tutorial.py` runs it (with `PYTHONPATH=build/python`, or
# the package installed). The tests run it too.

# %%
import csv
import pathlib

import vecusim

# %% [markdown]
# ## A published table
#
# Oh and Kim (KSAE 2022, table 3) measured a Raspberry Pi 4: from an edge at a pin to a program's answer, 100 edges. Scenarios of
# the same set-ups come with vecusim. (That of the Xen row is one of three that explain it; docs/design.md says what that proves.)

# %%
published = {  # least, mean and greatest latency in ms, as printed
    "pi4-native": (0.175, 0.182, 0.27),
    "pi4-xen-console": (1.19, 1.25, 2.98),
    "pi4-tcg-stall": (49, 52, 1054),
}
print("                     least (ms)          mean (ms)           greatest (ms)")
print("                     measured predicted  measured predicted  measured predicted")
for scenario, measured in published.items():
    edge = next(iter(vecusim.run(scenario).latency.values()))
    predicted = (edge.min_us / 1000, edge.mean_us / 1000, edge.max_us / 1000)
    print(f"{scenario:18}" + "".join(f"{m:11.3f}{p:9.3f}" for m, p in zip(measured, predicted)))

# %% [markdown]
# Two experiments of 100 edges never give the same figures. A validation asks whether another one of that size could have shown
# what was measured, and says what one would have guessed without a model.

# %%
print(vecusim.validate("ksae2022-native"))

# %% [markdown]
# ## One row, sample by sample
#
# A result has what the document has, and every sample as an array of integers, in ps.

# %%
xen = vecusim.run("pi4-xen-together", reps=5)
edge = xen.latency["edge"]
print(xen)
print("samples", edge.samples_ps.shape, edge.samples_ps.dtype, "mean of", edge.samples_us.mean(), "us")

# %% [markdown]
# The longest stages, and what they wait for:

# %%
stages = xen.to_pandas("stages").set_index("stage").drop(columns="interrupt")
print(stages.sum(axis=1).nlargest(5))

# %% [markdown]
# ## A sweep of the rate limit
#
# Credit2 lets a vCPU run for its rate limit before another one takes its place. In this set-up the measured vCPU waits for
# one, so that its latency follows the limit; all points share their randomness.

# %%
limits = [200, 500, 1000, 2000, 5000]
swept = vecusim.sweep("pi4-xen-together", {"/hypervisor/scheduler/ratelimit_us": limits}, reps=3)
frame = swept.to_pandas().set_index("/hypervisor/scheduler/ratelimit_us")
print(frame[["latency.edge.mean_us", "latency.edge.max_us"]])

# %%
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot

figure, axes = pyplot.subplots()
axes.plot(frame.index, frame["latency.edge.mean_us"], marker="o", label="mean")
axes.plot(frame.index, frame["latency.edge.max_us"], marker="o", label="greatest")
axes.set(xlabel="rate limit (µs)", ylabel="latency (µs)", xscale="log", yscale="log")
axes.legend()
figure.savefig("ratelimit.png")

# %% [markdown]
# ## A board from a CSV
#
# A bench writes one latency per line. Here the bench is a board whose kernel touches 1.3 times as many cold cache lines; what
# it writes is all that the fit sees.

# %%
scale = "/costs/linux.path_lines_scale"
board = vecusim.run("pi4-native", set={scale + "/value": 1.3}, seed=11)
bench = pathlib.Path("bench.csv")
with bench.open("w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["latency_us"])
    writer.writerows([f"{sample:.1f}"] for sample in board.latency["edge"].samples_us)

fitted = vecusim.calibrate("pi4-native", bench, {scale: (0.5, 2.0)}, reps=100)
print(fitted)

# %% [markdown]
# The verdict says whether the data know the cost; the table can be named in a scenario's `costs` from now on.

# %%
document = fitted.to_dict()
print(document["verdict"], document["costs"][0]["value"], document["costs"][0]["interval95"])
costs = pathlib.Path("board.json")
costs.write_text(fitted.table)
own = vecusim.load("pi4-native").to_dict()
own["costs"] = ["pi4", str(costs)]
print(vecusim.validate(own, data=bench, reps=2000))
