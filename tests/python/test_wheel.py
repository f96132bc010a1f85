"""What a wheel holds: what CMake installs of it is the package, its stubs and its data, and runs by itself."""

import os
import pathlib
import subprocess
import sys

BUILD = pathlib.Path(os.environ["VECUSIM"]).parent
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def test_the_installed_files_are_enough(program, tmp_path):
    wheel = tmp_path / "wheel"
    install = ["cmake", "--install", str(BUILD), "--component", "python", "--prefix", str(wheel)]
    done = subprocess.run(install, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    there = {file.relative_to(wheel / "vecusim").as_posix() for file in wheel.rglob("*") if file.is_file()}
    sources = {file.name for file in (SOURCE / "python-bindings/vecusim").iterdir() if file.is_file()}
    data = {f"share/vecusim/scenarios/{file.name}" for file in (SOURCE / "scenarios").glob("*.json")}
    assert there >= sources | data | {"share/vecusim/validation/costs/" + name for name in os.listdir(SOURCE / "validation/costs")}
    assert [name for name in there if name.startswith("_vecusim.") and name.endswith(".so")]
    environment = {**os.environ, "PYTHONPATH": str(wheel)}
    script = "import vecusim; print(vecusim.__file__); print(vecusim.run('pi4-native'))"
    shown = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    where, _, text = shown.stdout.partition("\n")
    assert where == str(wheel / "vecusim/__init__.py"), shown.stderr
    assert text == program("run", "pi4-native", "--no-color", "--quiet")
