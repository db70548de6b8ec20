"""A client made of the OpenAPI document by openapi-python-client; tests/api generates, installs and runs it."""

import sys

from mawe_client import Client
from mawe_client.api.accounts import get_me, post_guests
from mawe_client.api.games import get_games
from mawe_client.api.matches import get_matches_by_id, post_matches
from mawe_client.api.players import get_players_by_name
from mawe_client.models import Empty, GameKind, NewBotMatch, Problem, SideWish, TimeControlRealtime, TimeControlRealtimeKind

client = Client(base_url=sys.argv[1])
games = get_games.sync(client=client)
assert GameKind.MAWE in {game.game for game in games.items}, games

session = post_guests.sync_detailed(client=client, body=Empty())
assert session.status_code == 201, session
name = session.parsed.player.name
# The client keeps the cookie of the session by itself.
assert get_me.sync(client=client).player.name == name

clock = TimeControlRealtime(base_ms=600_000, increment_ms=0, kind=TimeControlRealtimeKind.REALTIME)
wish = NewBotMatch(game=GameKind.KALAH, level=1, side=SideWish.FIRST, time_control=clock)
made = post_matches.sync(client=client, body=wish)
match = get_matches_by_id.sync(made.id, client=client)
assert match.seats.first.player.name == name, match

wish.rated = True
problem = post_matches.sync(client=client, body=wish)
assert isinstance(problem, Problem) and problem.code == "account-needed", problem
missing = get_players_by_name.sync_detailed("nobody-of-this-name", client=client)
assert missing.status_code == 404 and missing.parsed.request_id == missing.headers["x-request-id"], missing
