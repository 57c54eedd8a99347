"""The image, the compose file and the unit of systemd: written without mistakes, and run where the machine can."""

import json
import os
import platform
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from ludus.cli.app import app
from ludus.network.checkpoint import save_checkpoint

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
INSTRUCTIONS = (
    "ARG",
    "CMD",
    "COPY",
    "ENTRYPOINT",
    "ENV",
    "EXPOSE",
    "FROM",
    "HEALTHCHECK",
    "RUN",
    "USER",
    "VOLUME",
    "WORKDIR",
)
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile with their arguments, in order."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines if line)]


def runtime() -> str | None:
    """Return the program that builds and runs images here, if its engine answers."""
    for name in ("docker", "podman"):
        if shutil.which(name):
            asked = subprocess.run([name, "info"], capture_output=True, timeout=60, check=False)
            if asked.returncode == 0:
                return name
    return None


def test_the_image_is_built_of_files_that_exist_by_known_instructions():
    found = instructions()
    assert [name for name, _ in found if name not in INSTRUCTIONS] == []
    stages = re.findall(r"AS (\w+)", " ".join(rest for name, rest in found if name == "FROM"))
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().split("\n")
    for rest in (rest for name, rest in found if name == "COPY"):
        *sources, _ = shlex.split(rest)
        if sources[0].startswith("--from="):
            assert sources[0].removeprefix("--from=") in stages
            continue
        for source in sources:
            assert (ROOT / source).exists(), source
            assert source not in ignored, f"{source} is not sent to the builder"
    for part in ("pyproject.toml", "src", "web", "presets", "README.md", "hatch_build.py"):
        assert part not in ignored, f"the wheel needs {part}"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the image's default is a kind of x86-64 processors")
def test_the_image_has_code_for_the_processor_that_it_names_whatever_machine_builds_it():
    processor = dict(part.split("=") for name, part in instructions() if name == "ARG")["PROCESSOR"]
    setting = next(rest for name, rest in instructions() if name == "ENV").replace("$PROCESSOR", processor)
    variables = dict(part.split("=") for part in shlex.split(setting))
    code = "from numba.core.registry import cpu_target; print(cpu_target.target_context.codegen().magic_tuple()[1:])"
    found = subprocess.run([sys.executable, "-c", code], env=os.environ | variables, capture_output=True, text=True)
    assert found.stdout.strip() == str((processor, "")), found.stderr


def test_the_image_runs_as_a_user_without_rights_and_asks_whether_the_site_is_ready():
    found = instructions()
    names = [name for name, _ in found]
    (user,) = (rest for name, rest in found if name == "USER")
    assert user.isdigit(), "with a number, so that a cluster can check that it is not root"
    assert int(user) > 0
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert not [rest for name, rest in found[names.index("USER") :] if name == "RUN"], "root fills the cache"
    assert "/readyz" in dict(found)["HEALTHCHECK"]


def test_the_commands_of_image_and_services_have_the_options_that_they_are_given():
    steps = [step.split()[:2] for name, rest in instructions() if name == "RUN" for step in rest.split("&&")]
    assert ["ludus", "compile"] in steps
    image = [json.loads(rest) for name, rest in instructions() if name == "CMD"]
    services = [shlex.split(each["command"]) for each in COMPOSE["services"].values() if "command" in each]
    for command, *rest in [*image, *services]:
        known = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200", "TERM": "dumb"}).output
        assert [option for option in rest if option.startswith("--") and option not in known] == []


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ("compose-spec", "deploy/compose.yaml"),
        ("citation-file-format", "CITATION.cff"),
        ("github-issue-config", ".github/ISSUE_TEMPLATE/config.yml"),
        ("github-issue-forms", ".github/ISSUE_TEMPLATE/fault.yml"),
        ("github-issue-forms", ".github/ISSUE_TEMPLATE/wish.yml"),
    ],
)
def test_a_file_of_another_program_follows_its_schema(schema, path):
    command = [
        sys.executable,
        "-m",
        "check_jsonschema",
        "--builtin-schema",
        f"vendor.{schema}",
        "--default-filetype",
        "yaml",
        path,
    ]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_inference_server_has_all_shipped_models():
    command = shlex.split(COMPOSE["services"]["inference"]["command"])
    assert [part for part in command[1:] if (ROOT / "models" / part).is_dir()] == sorted(
        path.name for path in (ROOT / "models").iterdir() if path.is_dir()
    )


def test_every_service_of_ludus_has_a_read_only_root_and_no_rights():
    services = COMPOSE["services"]
    assert set(services) == {"site", "engines", "inference", "database"}
    for name in ("site", "engines", "inference"):
        assert services[name]["read_only"] is True
        assert services[name]["cap_drop"] == ["ALL"]
    ports = [port for each in services.values() for port in each.get("ports", [])]
    assert ports == ["127.0.0.1:8000:8000"], "nothing else is reached from outside"
    text = (DEPLOY / "compose.yaml").read_text()
    secrets = re.findall(r"\$\{(\w+)", text)
    assert {"DATABASE_PASSWORD", "BOT_TOKEN"} <= set(secrets)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_the_unit_is_understood_by_systemd(tmp_path):
    text = (DEPLOY / "ludus.service").read_text()
    unit = tmp_path / "ludus.service"
    unit.write_text(text.replace("/srv/ludus/bin/ludus", shutil.which("true")))  # systemd asks for the program
    found = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    complaints = [line for line in found.stderr.splitlines() if "ludus.service" in line]
    assert complaints == []


@pytest.mark.full
def test_the_image_is_built_and_serves():
    program = runtime()
    if program is None:
        pytest.skip("no container engine answers here")
    built = [program, "build", "-f", "deploy/Dockerfile", "--build-arg", "GAMES=tictactoe", "-t", "ludus-test", "."]
    subprocess.run(built, cwd=ROOT, check=True, timeout=1800)
    options = ["--rm", "--detach", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "-p", "127.0.0.1:18000:8000"]
    command = ["serve", "--host", "0.0.0.0", "--data", "/data", "--no-bots"]
    started = subprocess.run(
        [program, "run", *options, "ludus-test", *command], capture_output=True, text=True, check=True
    )
    try:
        assert is_ready("http://127.0.0.1:18000/readyz")
        asked = [program, "exec", started.stdout.strip(), "id", "-u"]
        assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip() == "10001"
    finally:
        subprocess.run([program, "kill", started.stdout.strip()], capture_output=True, check=False)


@pytest.mark.full
def test_the_services_of_the_compose_file_find_each_other(tmp_path, flat_model):
    """The services run as processes of this machine, with one small model and without PostgreSQL."""
    model = tmp_path / "models/tiny"
    model.mkdir(parents=True)
    save_checkpoint(model / "model.safetensors", flat_model("tictactoe"))
    ports = {"site": free_port(), "inference": free_port()}
    with ExitStack() as stack:

        def start(name: str, *more: str) -> None:
            service = COMPOSE["services"][name]
            command = [part for part in shlex.split(service["command"]) if not (ROOT / "models" / part).is_dir()]
            command = [here(part, ports).replace("0.0.0.0", "127.0.0.1") for part in command]
            variables = {key: here(value, ports) for key, value in service.get("environment", {}).items()}
            variables.pop("LUDUS_DATABASE", None)
            if "--data" in command:
                command[command.index("--data") + 1] = str(tmp_path / "data")
            process = subprocess.Popen(
                [sys.executable, "-m", "ludus", command[0], *more, *command[1:]], env=os.environ | variables
            )
            stack.callback(process.wait)
            stack.callback(process.terminate)

        start("inference", str(model), f"--port={ports['inference']}")
        start("site", f"--port={ports['site']}")
        assert is_ready(f"http://127.0.0.1:{ports['site']}/readyz")
        start("engines", f"--models={model.parent}")
        assert is_ready(f"http://127.0.0.1:{ports['site']}/healthz"), "an official bot evaluates a position"


def here(text: str, ports: dict[str, int]) -> str:
    """Return a setting of the compose file for processes of this machine: secrets, defaults and addresses."""
    text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", re.sub(r"\$\{\w+:\?[^}]*\}", 24 * "s", text))
    return re.sub(r"\b(site|inference):\d+", lambda found: f"127.0.0.1:{ports[found[1]]}", text)


def free_port() -> int:
    """Return a port of this machine that nobody uses now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def is_ready(url: str, seconds: float = 300.0) -> bool:
    """Return whether an address answers 200 within some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                return answer.status == 200
        except OSError:
            time.sleep(0.3)
    return False
