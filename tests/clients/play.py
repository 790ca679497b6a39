"""Whole games of Eyas under clients that others wrote.

Under python-chess Eyas plays a peer and itself, with a clock: every move has to be legal and in
time, every variation that comes with a search legal to its end, and nobody may stop answering.
Then, if XBoard and Polyglot are installed, Eyas plays itself under them, and the games that XBoard
saves are replayed move by move. Last, how long a search takes to stop is measured.

Ends with status 1 after the first game in which something is wrong with Eyas, and shows that game.
"""

import argparse
import asyncio
import contextlib
import logging
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import chess
import chess.engine
import chess.pgn

# An engine that owes a move this long after its time has run out does not answer any more, in seconds.
STALL = 10.0
# A game without an end by then is a draw.
MOST_PLIES = 600
# How a game ends in which the other engine does what Eyas may not.
MISTAKE = "mistake"
# The third repetition and the fifty moves end a game only if somebody claims them; here they always do.
CLAIM = True


class Fault(Exception):
    """Something that Eyas may not do."""


class Complaints(logging.Handler):
    """What python-chess could not read, an illegal variation for instance: it only logs that."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


class Player:
    def __init__(self, name, command, ours, hash_mb):
        self.name, self.ours = name, ours
        self.engine = chess.engine.SimpleEngine.popen_uci(command, timeout=STALL)
        wanted = {"Hash": hash_mb, "Threads": 1}
        self.engine.configure({key: value for key, value in wanted.items() if key in self.engine.options})

    def fail(self, why):
        """A fault if it is ours; another engine's mistake only ends the game."""
        if self.ours:
            raise Fault(f"{self.name}: {why}")
        return f"{self.name}: {why}"


def parse_clock(text):
    base, _, increment = text.partition("+")
    return float(base), float(increment or 0)


def opening(seed, plies=8):
    """The same random half moves for both games of a pair."""
    choice = random.Random(seed)
    while True:
        board = chess.Board()
        for _ in range(plies):
            board.push(choice.choice(list(board.legal_moves)))
            if board.is_game_over():
                break
        else:
            return board


def play_game(board, number, white, black, clock, counts, complaints):
    """Plays one game to its end, on this board; its result, or whose mistake ended it."""
    base, increment = clock
    left = {chess.WHITE: base, chess.BLACK: base}
    while not board.is_game_over(claim_draw=CLAIM) and len(board.move_stack) < MOST_PLIES:
        side = board.turn
        player = white if side else black
        limit = chess.engine.Limit(
            white_clock=left[chess.WHITE],
            black_clock=left[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
        )
        begin = time.perf_counter()
        complaints.texts.clear()
        try:
            # `SimpleEngine.play` would wait for ever for an engine that plays by a clock.
            protocol = player.engine.protocol
            answer = protocol.play(board, limit, game=number, info=chess.engine.INFO_ALL)
            answer = asyncio.wait_for(answer, left[side] + STALL)
            best = asyncio.run_coroutine_threadsafe(answer, protocol.loop).result()
        except (chess.engine.EngineTerminatedError, asyncio.TimeoutError) as error:
            return player.fail(f"no answer in {board.fen()}: {error!r}")
        except chess.engine.EngineError as error:
            return player.fail(f"no legal move: {error}")
        left[side] -= time.perf_counter() - begin
        if player.ours and complaints.texts:
            return player.fail(complaints.texts[0])
        if best.move is None:
            return player.fail(f"no move in {board.fen()}")
        if left[side] < 0:
            return player.fail(f"lost on time by {-left[side]:.3f} s in {board.fen()}")
        if player.ours:
            counts["least time left"] = min(counts["least time left"], left[side])
            counts["moves"] += 1
            counts["moves of variations"] += len(best.info.get("pv", ()))
        left[side] += increment
        board.push(best.move)
    return board.result(claim_draw=CLAIM)


def under_python_chess(eyas, peer, games, clock, hash_mb):
    complaints = Complaints()
    logging.getLogger("chess.engine").addHandler(complaints)
    logging.getLogger("asyncio").addHandler(logging.NullHandler())
    # Each opponent and its command; none is Eyas itself.
    pairings = [("Eyas", None)] if peer is None else [(peer, peer), ("Eyas", None)]
    for name, command in pairings:
        with contextlib.ExitStack() as engines:
            players = [
                Player("Eyas", eyas, True, hash_mb),
                Player(name, command or eyas, command is None, hash_mb),
            ]
            for player in players:
                engines.callback(player.engine.close)
            counts = {"moves": 0, "moves of variations": 0, "least time left": float("inf")}
            points = {"1-0": 0, "1/2-1/2": 0, "0-1": 0, MISTAKE: 0}
            for number in range(games):
                # The second game of a pair has the colours changed.
                white, black = players if number % 2 == 0 else players[::-1]
                board = opening(number // 2)
                try:
                    end = play_game(board, number, white, black, clock, counts, complaints)
                except Fault as fault:
                    print(f"game {number + 1} against {name}: {fault}\n{chess.pgn.Game.from_board(board)}")
                    return False
                if end in points and number % 2 == 1:
                    end = {"1-0": "0-1", "0-1": "1-0"}.get(end, end)
                elif end not in points:
                    end = "1/2-1/2" if end == "*" else MISTAKE
                points[end] += 1
            print(
                f"python-chess {chess.__version__}, against {name}: {games} games, {points['1-0']} won, "
                f"{points['1/2-1/2']} drawn, {points['0-1']} lost, "
                f"{points[MISTAKE]} ended by the other's mistake; "
                f"{counts['moves']} moves of Eyas, least time left {counts['least time left']:.2f} s, "
                f"every variation legal, {counts['moves of variations']} moves in the last before each move"
            )
    return True


def under_xboard(eyas, games, clock):
    missing = [tool for tool in ("xboard", "polyglot", "xvfb-run") if shutil.which(tool) is None]
    if missing:
        print(f"XBoard: not tried, {', '.join(missing)} missing (Debian: apt install xboard polyglot xvfb xauth)")
        return True
    base, increment = clock
    minutes = f"{int(base) // 60}:{int(base) % 60:02}"
    with tempfile.TemporaryDirectory() as folder:
        saved = pathlib.Path(folder, "games.pgn")
        # Animated moves cost the engines up to a tenth of a second each.
        command = ["xvfb-run", "-a", "xboard", "-fcp", eyas, "-fUCI", "-scp", eyas, "-sUCI"]
        command += ["-mg", str(games), "-tc", minutes, "-inc", str(increment), "-animateMoving", "false"]
        command += ["-autoCallFlag", "true", "-soundProgram", "", "-matchPause", "500"]
        # It would wait for somebody who presses OK at the end.
        command += ["-popupExitMessage", "false", "-saveGameFile", str(saved)]
        try:
            subprocess.run(command, check=True, cwd=folder, timeout=600 * games, capture_output=True)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            print(f"XBoard: {error}: {(error.stderr or b'')[-500:]!r}")
            return False
        played = 0
        with open(saved, encoding="latin-1") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                board = game.end().board()
                result = board.result(claim_draw=CLAIM)
                if game.errors or result == "*" or result != game.headers["Result"]:
                    print(f"XBoard, game {played + 1}: {game.errors or 'ended before its end'}\n{game}")
                    return False
                played += 1
        print(f"XBoard with Polyglot, against itself: {played} of {games} games, each ended on the board")
        return played == games


def time_stops(eyas, stops, hash_mb):
    """Says how long Eyas takes from `stop` to its move, at random moments of searches without a limit.

    A figure to read and no test: a busy machine answers late by itself.
    """
    rng = random.Random(1)
    taken = []
    with subprocess.Popen([eyas], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as engine:
        engine.stdin.write(f"setoption name Hash value {hash_mb}\n")
        for number in range(stops):
            engine.stdin.write(f"position fen {opening(number, plies=20).fen()}\ngo infinite\n")
            time.sleep(rng.uniform(0.001, 0.3))
            asked = time.perf_counter()
            engine.stdin.write("stop\n")
            # Whoever is silent for too long is ended, and then there is nothing more to read.
            patience = threading.Timer(STALL, engine.kill)
            patience.start()
            answered = any(line.startswith("bestmove") for line in iter(engine.stdout.readline, ""))
            patience.cancel()
            if not answered:
                print(f"stop {number + 1}: the engine has ended or does not answer")
                return False
            taken.append(1000 * (time.perf_counter() - asked))
        engine.stdin.write("quit\n")
    taken.sort()
    shown = [f"{taken[int(part * (len(taken) - 1))]:.2f}" for part in (0.5, 0.99, 1)]
    print(f"stop: {stops} searches, from `stop` to the move {shown[0]} ms (median), {shown[1]} (99 %), {shown[2]} (longest)")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("eyas", help="the engine")
    parser.add_argument("--peer", help="a UCI engine to play besides (default: stockfish, if it is installed)")
    parser.add_argument("--games", type=int, default=10, help="games under python-chess with each opponent")
    parser.add_argument("--xboard-games", type=int, default=2, help="games under XBoard")
    parser.add_argument("--stops", type=int, default=100, help="searches that are told to stop")
    parser.add_argument("--clock", type=parse_clock, default=(1.0, 0.01), help="seconds + increment (default 1+0.01)")
    parser.add_argument("--hash", type=int, default=16, help="MB")
    options = parser.parse_args()
    eyas = str(pathlib.Path(options.eyas).resolve())
    peer = options.peer or shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
    if peer is None:
        print("no stockfish: Eyas plays itself only (Debian: apt install stockfish)")
    fine = under_python_chess(eyas, peer, options.games, options.clock, options.hash)
    fine = fine and (options.xboard_games == 0 or under_xboard(eyas, options.xboard_games, options.clock))
    try:
        fine = fine and (options.stops == 0 or time_stops(eyas, options.stops, options.hash))
    except BrokenPipeError:
        print("stop: the engine has ended")
        fine = False
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
