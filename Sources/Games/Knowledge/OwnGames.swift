/// The module's own list, for users who have no manifest: the places of well-known games' saves. It is put together
/// from public lists, which `docs/reference/games.md` names, and has the form of ``GameList``.
enum OwnGames {
    static let all: [KnownGame] = [fromAToD, fromEToM, fromNToS, fromTToZ].flatMap { GameList.games(in: $0) }
}
