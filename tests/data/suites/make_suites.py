#!/usr/bin/env python3
"""Lines of a FEN, keys and a name, as the generators print them, to EPD.

    make_suites.py zugzwang STOCKFISH TABLES.TXT PAWNS.TXT COMPOSED.TXT > zugzwang.epd
    make_suites.py candidates GAMES.PGN > candidates.txt
    make_suites.py mates N PROVEN.TXT > mate-N.epd

The sides of the board and the colours of every position are changed at random (for each a seed), so that
White and Black are to move and castling rights aside nothing is left of how it was drawn.

Of the composed ones those are taken whose key alone wins: by Stockfish (150,000 nodes) no other move is
better than a pawn and a half. Of one kind of material there are six at most. Of the mates those with a quiet
key or a quiet second move come first, then those with most moves to choose from.
"""

import random
import sys

import chess
import chess.engine
import chess.pgn

# How many.
COMPOSED = 34
MATES = 100
QUIET = 60


def disguised(board, moves, rnd):
    """The same with sides and colours changed, or not; with castling rights the sides stay."""
    if not board.castling_rights and rnd.random() < 0.5:
        board = board.transform(chess.flip_horizontal)
        moves = [chess.Move(m.from_square ^ 7, m.to_square ^ 7, m.promotion) for m in moves]
    if rnd.random() < 0.5:
        board = board.mirror()
        moves = [chess.Move(m.from_square ^ 56, m.to_square ^ 56, m.promotion) for m in moves]
    return board, moves


def read(path):
    """Fields of each line."""
    with open(path) as lines:
        return [line.rstrip("\n").split(";") for line in lines]


def write(fen, keys, name, rnd, **operations):
    board, moves = disguised(chess.Board(fen), [chess.Move.from_uci(key) for key in keys], rnd)
    assert board.is_valid() and all(move in board.legal_moves for move in moves), fen
    print(board.epd(bm=moves, **operations, id=name))


def zugzwang(stockfish, tables, pawns, composed):
    rnd = random.Random(59)
    for number, (fen, key, name) in enumerate(read(tables) + read(pawns), 1):
        write(fen, [key], f"{number}, {name.rstrip(' 0123456789')}", rnd)
    engine = chess.engine.SimpleEngine.popen_uci(stockfish)
    engine.configure({"Hash": 64, "Threads": 1})
    kinds, count = {}, 0
    for fen, moves, key, _ in read(composed):
        board = chess.Board(fen)
        kind = "".join(sorted(filter(str.isalpha, board.board_fen())))
        if count == COMPOSED or kinds.get(kind, 0) == 6:
            continue
        others = [move for move in board.legal_moves if move.uci() != key]
        limit = chess.engine.Limit(nodes=150_000)
        info = engine.analyse(board, limit, game=object(), root_moves=others)
        if info["score"].white().score(mate_score=100_000) > 150:
            continue
        kinds[kind] = kinds.get(kind, 0) + 1
        count += 1
        write(fen, [key], f"{number + count}, composed", rnd, dm=int(moves))
    engine.quit()
    print(f"{count} composed", file=sys.stderr)


def candidates(path):
    """The positions two, three and four moves before each mate."""
    with open(path) as games:
        while (game := chess.pgn.read_game(games)) is not None:
            board = game.end().board()
            if not board.is_checkmate():
                continue
            for plies in range(1, min(7, len(board.move_stack)) + 1):
                board.pop()
                if plies in (3, 5, 7):
                    print(board.fen())


def mates(moves, path):
    rnd = random.Random(int(moves))
    found = [line for line in read(path) if line[1] == moves]
    rnd.shuffle(found)
    quiet = [line for line in found if line[3]]
    loud = [line for line in found if not line[3]]
    loud.sort(key=lambda line: -chess.Board(line[0]).legal_moves.count())
    chosen = quiet[:QUIET]
    chosen += loud[: MATES - len(chosen)]
    for number, (fen, _, keys, _) in enumerate(chosen, 1):
        write(fen, keys.split(), f"mate in {moves}, {number}", rnd, dm=int(moves))


if sys.argv[1] == "zugzwang":
    zugzwang(*sys.argv[2:])
elif sys.argv[1] == "candidates":
    candidates(*sys.argv[2:])
else:
    mates(*sys.argv[2:])
