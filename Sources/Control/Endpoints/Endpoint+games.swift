/// The endpoints about shared games, and games that are found.
extension Endpoint {
    static let aboutGames: [Endpoint] = [
        .games, .addGame, .game, .changeGame, .leaveGame, .shareGame, .unshareGame, .joinGame, .pauseGame, .resumeGame,
        .pauseAll, .resumeAll, .playGame, .endGame, .foundGames, .shareFoundGame,
    ]

    package static let games = Endpoint(.get, "/v1/saves", "the games that are shared here, and offered ones")
    package static let addGame = Endpoint(.post, "/v1/saves", "share a folder, or files in it, as a game")
    package static let game = Endpoint(.get, "/v1/saves/{set}", "one game")
    package static let changeGame = Endpoint(.put, "/v1/saves/{set}", "change the settings of a game")
    package static let leaveGame = Endpoint(.delete, "/v1/saves/{set}", "stop syncing a game on this machine")
    package static let shareGame = Endpoint(.put, "/v1/saves/{set}/peers/{peer}", "share a game with a machine")
    package static let unshareGame = Endpoint(
        .delete,
        "/v1/saves/{set}/peers/{peer}",
        "stop sharing a game with a machine"
    )
    package static let joinGame = Endpoint(.post, "/v1/offers/{offer}", "join an offered game")
    package static let pauseGame = Endpoint(.put, "/v1/saves/{set}/pause", "pause a game")
    package static let resumeGame = Endpoint(.delete, "/v1/saves/{set}/pause", "resume a game")
    package static let pauseAll = Endpoint(.put, "/v1/pause", "pause all games, also those that are shared later")
    package static let resumeAll = Endpoint(.delete, "/v1/pause", "resume all games")
    package static let playGame = Endpoint(
        .post,
        "/v1/saves/{set}/play",
        "fetch the newest version, and play until the response ends"
    )
    package static let endGame = Endpoint(
        .post,
        "/v1/saves/{set}/played",
        "end the game: keep its saves, and let other machines play"
    )
    package static let foundGames = Endpoint(.get, "/v1/games", "list the games that are found on this machine")
    package static let shareFoundGame = Endpoint(
        .post,
        "/v1/games/{game}",
        "share a game that was found, with all machines"
    )
}
