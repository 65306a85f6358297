/// The module's own list, for those who have no manifest: where well-known games save, put together from public lists
/// (`docs/reference/games.md` names them) and written in the form of ``GameList``.
enum OwnGames {
    static let all: [KnownGame] = [fromAToD, fromEToM, fromNToS, fromTToZ].flatMap { GameList.games(in: $0) }
}
