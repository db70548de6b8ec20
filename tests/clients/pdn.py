"""Games of the server's arena, written as PDN, are read by pydraughts and end in the same positions: python pdn.py MAWE DIRECTORY."""

import json
import pathlib
import subprocess
import sys

from draughts import Board, Move
from draughts.PDN import PDNReader

GAMES = 4

# The names of the games in pydraughts, which has no pool checkers and no Drafti.
VARIANTS = {"checkers": "english", "brazilian": "brazilian", "russian": "russian", "international": "standard"}


def number(square: str) -> str:
    """The number of a square that may have a name."""
    crown, square = ("K", square[1:]) if square.startswith("K") else ("", square)
    if square.isdigit():
        return crown + square
    file, rank = "abcdefgh".index(square[0]), int(square[1])
    return f"{crown}{(8 - rank) * 4 + file // 2 + 1}"


def pieces(fen: str) -> set[tuple[str, str]]:
    """The colour and the square of each piece."""
    lists = fen.split(":")[1:3]
    return {(one[0], number(square)) for one in lists for square in one[1:].split(",") if square}


def last_positions(mawe: str, game: str, file: pathlib.Path) -> list[str]:
    """The positions after the last moves, by the server's rules."""
    with file.open() as text:
        done = subprocess.run([mawe, "replay", game, "--format", "pdn"], stdin=text, capture_output=True, text=True, check=True)
    return [json.loads(line)["final"] for line in done.stdout.splitlines()]


def main(mawe: str, directory: str) -> None:
    for game, variant in VARIANTS.items():
        file = pathlib.Path(directory) / f"{game}.pdn"
        arena = [mawe, "arena", game, "2", "3", "--games", str(GAMES), "--setup", "", "--pdn", str(file), "--data-dir", directory]
        subprocess.run(arena, check=True, capture_output=True)
        games = [one for one in PDNReader(filename=str(file)).games if one.moves]
        positions = last_positions(mawe, game, file)
        assert len(games) == len(positions) == GAMES, (game, len(games), len(positions))
        for read, position in zip(games, positions):
            assert read.variant == variant, (game, read.variant)
            board = Board(variant, read.tags.get("FEN", "startpos"))
            for move in read.moves:
                board.push(Move(board, pdn_move=move))
            assert pieces(board.fen) == pieces(position), (game, board.fen, position)
    print(f"{GAMES} games of each of {len(VARIANTS)} kinds of draughts are read by pydraughts")


main(*sys.argv[1:])
