"""Games and positions as Eyas reads them, compared with what python-chess reads.

Random games are written in the notations of people's files, and `tuner positions` must make of them the
positions and moves that were meant; the moves of EPD lines are compared by `eyas analyse`. What is no
move must be named, and no position may come from behind it. Then files of real games, if EYAS_GAMES
names one (PGN, plain, gzip or zstd): every position that comes out has occurred, with that move, and
every one that python-chess finds comes out, unless its game is skipped by a reason.

Ends with status 1 after the first difference.
"""

import argparse
import gzip
import io
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import chess
import chess.pgn

FIGURES = str.maketrans("KQRBN", "♔♛♖♝♘")
TOKENS = ["Sf3", "Df3", "Pf3", "Кf3", "--", "Z0", "0000", "null", "rubbish", "N f3 x", "e9", "}", ")", "<x>",
          "exd", "Nxy", "e4e", "1e4", "-", "[x]", "[%clk 1]", "$x", "f3,", "@@@@", "d4...d5"]


class Fault(Exception):
    """A difference."""


def random_game(rng, plies=80):
    board = chess.Board()
    moves = []
    while len(moves) < plies and not board.is_game_over():
        # Captures, checks and promotions are where notations differ.
        legal = list(board.legal_moves)
        loud = [move for move in legal if board.is_capture(move) or move.promotion or board.is_castling(move)]
        move = rng.choice(loud if loud and rng.random() < 0.4 else legal)
        moves.append(move)
        board.push(move)
    return moves


def written(rng, board, move):
    san = board.san(move)
    bare = san.rstrip("+#")
    start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
    sign = "x" if board.is_capture(move) else "-"
    castles = board.is_castling(move)
    piece = board.piece_at(move.from_square).symbol().upper().replace("P", "")
    promotion = chess.piece_symbol(move.promotion).upper() if move.promotion else ""
    forms = [san, bare, bare + "!?", bare + "±", bare + "†", bare + "+/=", move.uci(), start + sign + end + promotion.lower()]
    if castles:
        forms += [bare.replace("O", "0"), bare.replace("O", "o"), bare.replace("-", "–")]
    else:
        forms += [piece + start + sign + end + promotion, bare.translate(FIGURES)]
    if san != bare:
        forms += [bare + "++", bare + "‡"]
    if promotion:
        forms += [bare.replace("=", ""), bare.replace("=", "/"), bare.replace("=" + promotion, f"({promotion})")]
    if board.is_capture(move):
        forms += [bare.replace("x", ":"), bare.replace("x", "×")]
    if board.is_en_passant(move):
        forms += [bare + "e.p.", bare + "ep"]
    return rng.choice(forms)


def pgn_of(rng, number, moves, result, token=None):
    board = chess.Board()
    at = rng.randrange(len(moves))
    words = []
    for ply, move in enumerate(moves):
        if token and ply == at:
            words.append(token)
        if ply % 2 == 0:
            words.append(f"{ply // 2 + 1}." + rng.choice(["", " ", "\u00a0"]))
        elif rng.random() < 0.2:
            words.append(f"{ply // 2 + 1}...")
        words.append(written(rng, board, move))
        board.push(move)
        words.append(rng.choice([" "] * 6 + ["\n", "\u00a0", " {a (comment} ", " (1. d4 -- Sf3 {)}) ", " $14 ", " ; x\n", " += "]))
    text = "".join(word if word[-1:].isspace() or word.endswith(".") else word + " " for word in words)
    ending = rng.choice([result, result.replace("-", "–"), "*", ""])
    return f'[Event "The "Big" {number}"]\n[White "W{number}"]\n[Black "B"]\n[Result "{result}"]\n\n{text}{ending}\n\n'


def positions(tuner, folder, pgn, count):
    out = folder / "o.epd"
    out.unlink(missing_ok=True)
    command = [tuner, "positions", "--pgn", pgn, "--out", out, "--min-ply", "0", "--max-ply", "100000",
               "--per-game", "1000", "--count", str(count)]
    run = subprocess.run(command, capture_output=True, text=True)
    return (out.read_text().splitlines() if out.exists() else []), run.stderr


def wins(moves, result):
    """The positions with the winner to move, and the moves that were played there."""
    board, found = chess.Board(), set()
    for move in moves:
        if (board.turn == chess.WHITE) == (result == "1-0"):
            found.add((board.epd(en_passant="legal"), move.uci()))
        board.push(move)
    return found


def told(lines):
    found = set()
    for line in lines:
        fields, rest = line.split(" bm ", 1)
        board = chess.Board(fields + " 0 1")
        found.add((board.epd(en_passant="legal"), board.parse_san(rest.split(";", 1)[0]).uci()))
    return found


def compare(expected, lines, what):
    """Of games with a position in common only one has it, so positions are compared and then their moves."""
    found = told(lines)
    if not found <= expected:
        raise Fault(f"{what}: never occurred: {sorted(found - expected)[:3]}")
    missing = {position for position, _ in expected} - {position for position, _ in found}
    if missing:
        raise Fault(f"{what}: missing: {sorted(missing)[:3]}")


def odd_games(tuner, folder, count, rng):
    path = folder / "odd.pgn"
    for end in ["\n", "\r\n", "\r", "\n\ufeff"]:
        text, expected = "", set()
        for number in range(count):
            moves, result = random_game(rng), rng.choice(["1-0", "0-1"])
            text += pgn_of(rng, number, moves, result)
            expected |= wins(moves, result)
        if end.endswith("\ufeff"):
            text = text.replace("\n\n[Event", "\n\n\ufeff[Event")
        path.write_bytes(text.replace("\n", end.removesuffix("\ufeff")).encode())
        compare(expected, positions(tuner, folder, path, 1000000)[0], f"odd games, lines end with {end!r}")
    for token in TOKENS:
        text = "".join(pgn_of(rng, number, random_game(rng), "1-0", token) for number in range(10))
        path.write_text(text)
        lines, said = positions(tuner, folder, path, 1000000)
        if lines or "damaged: " not in said:
            raise Fault(f"{token!r} among the moves is passed over:\n{said}")
    print(f"{4 * count} odd games are read, and {len(TOKENS)} kinds of what is no move are named")


def solutions(eyas, folder, count, rng):
    text, expected = "", []
    for number in range(count):
        moves = random_game(rng)
        board = chess.Board()
        for move in moves[: rng.randrange(len(moves))]:
            board.push(move)
        move = rng.choice(list(board.legal_moves))
        text += f'{board.epd(en_passant="legal")} bm {written(rng, board, move)}; id "{number}";\n'
        expected.append(board.san(move))
    path = folder / "s.epd"
    path.write_text(text)
    run = subprocess.run([eyas, "analyse", "--epd", path, "--nodes", "1"], capture_output=True, text=True)
    found = re.findall(r" expected (\S+) ", run.stderr)
    for line, want, got in zip(text.splitlines(), expected, found + [None] * count):
        if want != got:
            raise Fault(f"{line}\n{want} is meant, {got} was read\n{run.stderr[-300:]}")
    print(f"{count} solutions are read")


def real_games(tuner, folder, name, most):
    raw = pathlib.Path(name).read_bytes()
    if raw[:2] == b"\x1f\x8b":
        raw = gzip.decompress(raw)
    elif raw[:4] == b"\x28\xb5\x2f\xfd":
        raw = subprocess.run(["zstd", "-dc", name], capture_output=True, check=True).stdout
    try:
        text = io.StringIO(raw.decode())
    except UnicodeDecodeError:
        text = io.StringIO(raw.decode("latin-1"))
    expected, kept, count = set(), [], 0
    while count < most and (game := chess.pgn.read_game(text)):
        count += 1
        if game.headers.get("Result") in ("1-0", "0-1") and not game.errors and "FEN" not in game.headers:
            expected |= wins(list(game.mainline_moves()), game.headers["Result"])
    path = folder / "real.pgn"
    path.write_text(text.getvalue()[: text.tell()] if count == most else text.getvalue())
    # More than there are: what several games have is counted before it is dropped.
    lines, said = positions(tuner, folder, path, 10**9)
    if "damaged: " in said:
        found = told(lines)
        if not found <= expected:
            raise Fault(f"never occurred: {sorted(found - expected)[:3]}")
        print(said)
    else:
        compare(expected, lines, name)
    print(f"{count} real games are read alike, {len(lines)} positions")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("eyas")
    parser.add_argument("tuner")
    parser.add_argument("--games", type=int, default=100, help="odd games a kind of line end")
    parser.add_argument("--real", type=int, default=2000, help="games of EYAS_GAMES")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        try:
            odd_games(arguments.tuner, folder, arguments.games, rng)
            solutions(arguments.eyas, folder, 5 * arguments.games, rng)
            if name := os.environ.get("EYAS_GAMES"):
                real_games(arguments.tuner, folder, name, arguments.real)
            else:
                print("EYAS_GAMES names no file of real games: not compared")
        except Fault as fault:
            print(fault, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
